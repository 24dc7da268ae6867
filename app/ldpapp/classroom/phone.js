// A phone in a class: asks the teacher's computer for the question, and hands over the report alone.
"use strict";
const code = location.pathname.split("/")[1].toUpperCase();
const base = `/${location.pathname.split("/")[1]}/room`;
const name = `Class ${code.slice(0, 3)} ${code.slice(3)}`.trim();
const WHY = {
  closed: "The survey is closed.", room: "There is no such room. Is the code right?", full: "The room is full.",
  address: "Somebody in this network has answered already, and each address may send once. Ask your teacher.",
  ticket: "This phone has no ticket. Allow cookies for this page, and load it again.",
  impossible: "The phone drew what cannot be. Load the page again.",
};
const LOST = "The teacher's computer does not answer. Are you in the same network?";
let room = null, drawn = null, lost = false;
async function call(path, body) {
  const answer = await fetch(base + path, body === undefined ? {} :
    { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return answer.json();
}
function note(text, label, act) {
  const again = el("button", label);
  again.onclick = act;
  show([name, ""], [el("h1", text)], [again]);
}
function enter() {
  const row = el("label", "The code on the board", { className: "code" }), go = el("button", "Join", { className: "go" });
  const box = el("input", undefined, { autocomplete: "off", autocapitalize: "characters", maxLength: 9 });
  const join = () => { const typed = box.value.replace(/[^a-z0-9]/gi, "").toUpperCase(); if (typed) location.pathname = `/${typed}`; };
  box.onkeydown = event => { if (event.key === "Enter") join(); };
  go.onclick = join;
  row.append(box);
  show(["Class", ""], [el("h1", "Which class?"), row], [go]);
}
async function begin() {
  if (!code) return enter();
  try { room = await call(""); } catch { return note(LOST, "Try again", begin); }
  if (room.why === "room") return note(WHY.room, "Type the code", enter);
  if (room.why) return note(WHY[room.why] || room.why, "Try again", begin);
  if (room.sent) return sent();
  if (!room.open) return note(WHY.closed, "Look again", begin);
  choose(room, [name, "one question"], `ε = ${room.epsilon} · no cookie beyond this ticket · no log`, { label: "Draw and send", send });
}
async function send(report, failed) {
  let told;
  try { told = await call("/report", { report }); } catch { lost = true; return failed(LOST); }
  // After a lost connection the report may have arrived: then it was sent.
  if (told.why === "ok" || (told.why === "twice" && lost)) { drawn = report; return sent(); }
  if (told.why === "twice") return begin();
  failed(WHY[told.why] || told.why);
}
function sent() {
  const parts = drawn === null
    ? [el("h1", "This phone has answered."), ...again(room, example()), el("p", "The report is counted. It cannot be taken back: the board keeps counts, not who sent what.")]
    : [el("p", "Your phone sent", { className: "quiet" }), el("p", named(room, drawn), { className: "drew" }), ...meaning(room, drawn),
      el("p", "The report says no more than this. What was tapped is deleted here.", { className: "quiet" }), ...again(room, drawn)];
  show([name, drawn === null ? "already sent" : "sent"], [el("div", undefined, { id: "vote" }), ...parts, drawing(room)], []);
  watch(0);
}
// Of those who load the page again nobody knows what they sent: of a report that names a hidden answer.
const example = () => {
  const v = room.answers.findIndex((_, x) => hides(room.law, x));
  return room.law.family === "unary" ? 1 << v : room.law.marked.slice(0, room.law.w).reduce((sum, x) => sum | 1 << x, 0);
};
function watch(times) {
  if (times > 700) return; // some three quarters of an hour
  setTimeout(async () => {
    if (document.hidden) return watch(times);
    try { room = { ...room, ...await call("") }; } catch { return watch(times + 1); }
    const place = document.getElementById("vote");
    if (room.voting && !room.voted && place && !place.firstChild) ballot(place);
    if (!room.voting && place?.querySelector("button")) place.replaceChildren(...(mine ? [el("p", COUNTED)] : []));
    if (!room.why) watch(times + 1);
  }, 3000 + 2000 * Math.random());
}
const COUNTED = "Your vote is counted. It went out as it is: the report below does not hide it.";
let mine = null;
// At the top, where the phone is held: what it sent stands below.
function ballot(place) {
  place.replaceChildren(el("h1", "Now openly, if you like"), el("p", "To compare: this answer goes out as it is, and counts as a vote. You need not."),
    el("p", `The board shows votes from ${room.few} on: fewer would tell too much of one.`));
  room.answers.forEach((answer, v) => {
    const button = el("button", answer, { className: "vote" });
    button.onclick = async () => {
      let told;
      try { told = await call("/vote", { answer: v }); } catch { return; }
      if (told.why === "ok") mine = { answer: v, back: told.receipt };
      room.voted = true;
      counted(place, told.why === "ok" || told.why === "twice" ? COUNTED : WHY[told.why] || told.why);
    };
    place.append(button);
  });
  place.scrollIntoView();
}
// One tap too many is taken back, as long as the vote is open.
function counted(place, says) {
  place.replaceChildren(el("p", says));
  if (!mine) return;
  place.append(el("h1", room.answers[mine.answer]));
  const back = el("button", "Take it back", { className: "vote" });
  back.onclick = async () => {
    let told;
    try { told = await call("/vote", mine); } catch { return; }
    if (told.why !== "ok") return place.replaceChildren(el("p", told.why === "closed" ? `The vote is closed. ${COUNTED}` : WHY[told.why] || told.why));
    mine = null;
    room.voted = false;
    ballot(place);
  };
  place.append(back);
}
begin();
