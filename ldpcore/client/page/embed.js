// In a page of somebody else's. `host`, `stored()` and `store(text)` are the platform's; the list of answers stands in a
// closed part of the page, where no form, no autosave and no listener finds it.
"use strict";
const inside = host.attachShadow({ mode: "closed" }), main = document.createElement("main");
const looks = document.createElement("style");
main.id = "ask";
main.setAttribute("aria-live", "polite");
looks.textContent = css;
inside.append(looks, main);
const place = {
  note: "Only the report that is drawn goes into this survey.",
  kept: () => null,
  keep(state) { if (state && state.reports && state.reports.some(report => report !== null)) store(coded(told, state.reports)); },
  done(survey, reports) {
    const some = reports.some(report => report !== null);
    show(["Survey", "drawn"], some ? [
      el("p", "The phone drew", { className: "quiet" }), el("code", coded(survey, reports)),
      el("p", "This stands in the survey now, and nothing else. You can go on."), ...drawnOf(survey, reports),
    ] : [el("h1", "Nothing was answered, so nothing stands in the survey.")], []);
  },
};
// A report that stands there already was drawn before: it is not drawn again, and not shown to who sits here now.
if (stored()) show(["Survey", "drawn"], [el("h1", "A report was drawn here already."), el("p", "You can go on.")], []);
else beginSurvey(told, place);
