// The teacher's notes on her own phone: what belongs to the lesson that the class sees now. All of it is text.
"use strict";
const base = location.pathname.replace(/\/$/, "");
const WHY = {
  notes: "These notes have ended. Open them anew from the lesson.",
  taken: "Another phone has these notes. For this one, make a new address in the lesson.",
};
const LOST = "The laptop does not answer. Is this phone still in its network?";
let drawn = "";
function draw(head, lines) {
  const parts = [];
  for (const [what, text] of lines) {
    const said = el("p", text);
    said.style.cssText = "font-size:1.2rem;line-height:1.45;margin:.1rem 0 1.3rem;overflow-wrap:anywhere";
    const label = el("h2", what, { className: "quiet" });
    label.style.cssText = "font-size:.9rem;font-weight:400;margin:0";
    parts.push(label, said);
  }
  show(["Teacher’s notes", lines.length ? "follow the lesson" : ""], [el("h1", head), ...parts], []);
}
async function look() {
  let told;
  if (document.hidden) return setTimeout(look, 1000);
  try { told = await (await fetch(`${base}/now`)).json(); } catch { told = { head: LOST, lines: [] }; }
  if (told.why) told = { head: WHY[told.why] || told.why, lines: [], end: true };
  const next = JSON.stringify(told);
  if (next !== drawn) draw(told.head, told.lines);
  drawn = next;
  if (!told.end) setTimeout(look, 1000);
}
look();
