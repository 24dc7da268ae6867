// What LimeSurvey has for a script: the box of the question that this stands in, by its own number.
"use strict";
const host = document.getElementById("ldpcore-survey"), box = document.getElementById("answer{SGQ}");
box.hidden = true;
box.style.display = "none";
const stored = () => box.value;
const store = text => { box.value = text; box.dispatchEvent(new Event("keyup", { bubbles: true })); box.dispatchEvent(new Event("change", { bubbles: true })); };
