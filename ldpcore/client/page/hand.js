// A page without a server: the report is shown as the number that somebody hands in, with the mark of its client.
"use strict";
const client = JSON.parse(document.getElementById("client").textContent);
function handed(report) {
  const code = `${report}-${client.mark}`;
  const copy = el("button", "Copy it", { className: "go" });
  copy.onclick = async () => {
    try { await navigator.clipboard.writeText(code); copy.textContent = "Copied"; }
    catch { copy.textContent = "Select the code and copy it"; }
  };
  const next = el("button", "The next person");
  next.onclick = begin;
  show(["Survey", "drawn"], [
    el("p", "The phone drew", { className: "quiet" }), el("p", named(client, report), { className: "drew" }),
    el("p", "Hand in this code, and nothing else:"), el("code", code),
    ...meaning(client, report), drawing(client),
  ], [copy, next]);
}
function begin() {
  choose(client, ["Survey", `${client.mechanism}, ε = ${client.epsilon}`], "Nothing is sent: this page has no connection.",
    { label: "Draw my report", send: handed });
}
begin();
