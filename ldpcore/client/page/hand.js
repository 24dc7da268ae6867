// A page without a server: the report is shown as the number that somebody hands in.
"use strict";
const client = JSON.parse(document.getElementById("client").textContent);
function handed(report) {
  const copy = el("button", "Copy it", { className: "go" });
  copy.onclick = async () => {
    try { await navigator.clipboard.writeText(String(report)); copy.textContent = "Copied"; }
    catch { copy.textContent = "Select the number and copy it"; }
  };
  const next = el("button", "The next person");
  next.onclick = begin;
  show(["Survey", "drawn"], [
    el("p", "The phone drew", { className: "quiet" }), el("p", named(client, report), { className: "drew" }),
    el("p", "Hand in this number, and nothing else:"), el("code", String(report)),
    ...meaning(client, report), drawing(client),
  ], [copy, next]);
}
function begin() {
  choose(client, ["Survey", `${client.mechanism}, ε = ${client.epsilon}`], "Nothing is sent: this page has no connection.",
    { label: "Draw my report", send: handed });
}
begin();
