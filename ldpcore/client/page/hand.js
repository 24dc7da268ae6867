// A page without a server: what was drawn is shown as the code that somebody hands in, with the mark of its client.
"use strict";
const told = JSON.parse(document.getElementById("client").textContent), key = `ldpcore ${told.mark}`;
// Kept are reports, never answers: a page that is loaded again must not draw again.
const place = {
  note: "Nothing is sent: this page has no connection.",
  kept() {
    try { return JSON.parse(localStorage.getItem(key)) || history.state; } catch { return history.state; }
  },
  keep(state) {
    history.replaceState(state, "");
    try { if (state) localStorage.setItem(key, JSON.stringify(state)); else localStorage.removeItem(key); } catch { /* the tab knows */ }
  },
  done(survey, reports) {
    const code = coded(survey, reports), one = survey.questions.length === 1, some = reports.some(report => report !== null);
    const copy = el("button", "Copy it", { className: "go" }), next = el("button", "The next person");
    copy.onclick = async () => {
      try { await navigator.clipboard.writeText(code); copy.textContent = "Copied"; }
      catch { copy.textContent = "Select the code and copy it"; }
    };
    next.onclick = () => { place.keep(null); beginSurvey(survey, place); };
    const drew = one ? named(survey.questions[0], reports[0]) : `${reports.filter(report => report !== null).length} of ${reports.length} reports`;
    show(["Survey", "drawn"], some ? [
      el("p", "The phone drew", { className: "quiet" }), el("p", drew, { className: "drew" }),
      el("p", "Hand in this code, and nothing else:"), el("code", code), ...drawnOf(survey, reports),
    ] : [el("h1", "Nothing was answered, so there is nothing to hand in.")], some ? [copy, next] : [next]);
  },
};
beginSurvey(told, place);
