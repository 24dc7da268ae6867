// What Qualtrics has for a script: embedded data, by the name that it knows with __js_ before it.
"use strict";
const engine = Qualtrics.SurveyEngine, NAME = "report", host = document.createElement("div");
this.getQuestionTextContainer().replaceChildren(host);
const modern = typeof engine.setJSEmbeddedData === "function";
const stored = () => modern && engine.getJSEmbeddedData ? engine.getJSEmbeddedData(NAME) : engine.getEmbeddedData ? engine.getEmbeddedData(`__js_${NAME}`) : "";
const store = text => modern ? engine.setJSEmbeddedData(NAME, text) : engine.setEmbeddedData(`__js_${NAME}`, text);
