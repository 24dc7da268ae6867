// One question, or several after each other: answers wait in memory until all reports are drawn, at once and only once.
// `place` says where that stands: kept() and keep(state) outlive a reload, done(survey, reports) hands over.
"use strict";
const FEWER = "The smaller ε is, the less a report tells.";
const coded = (survey, reports) => `${reports.map(report => report === null ? "" : report).join(",")}-${survey.mark}`;
const textOf = one => one.question || one.name;
// The places of what this person is asked: all, or one by the public weights, drawn before anything is answered.
function drawAsked(survey, word = secureWord) {
  const all = survey.questions.map((_, i) => i);
  if (survey.asks !== "one") return all;
  const weights = survey.weights.length ? survey.weights : all.map(() => 1);
  let rest = below(weights.reduce((a, b) => a + b), word);
  for (const i of all) {
    if (rest < weights[i]) return [i];
    rest -= weights[i];
  }
}
function beginSurvey(survey, place) {
  const kept = place.kept(), known = kept && kept.mark === survey.mark ? kept : null;
  if (known && known.reports) return place.done(survey, known.reports);
  const asked = known ? known.asked : drawAsked(survey);
  if (survey.asks === "one") place.keep({ mark: survey.mark, asked });
  const one = survey.questions[asked[0]];
  if (survey.questions.length > 1) return startScreen(survey, asked, place);
  choose(one, ["Survey", `${one.mechanism}, ε = ${one.epsilon}`], place.note,
    { label: "Draw my report", send: report => finish(survey, place, [report]) });
}
function finish(survey, place, reports) {
  place.keep({ mark: survey.mark, reports });
  place.done(survey, reports);
}
// What is promised, before the first answer.
function startScreen(survey, asked, place) {
  const all = survey.asks !== "one", go = el("button", "Begin", { className: "go" }), list = el("ul");
  survey.questions.forEach(one => {
    const row = el("li", textOf(one));
    row.append(el("b", `ε = ${one.epsilon}`));
    list.append(row);
  });
  const answers = survey.questions.map(() => null);
  go.onclick = () => questionScreen(survey, asked, 0, answers, place);
  const total = el("p", `${all ? "All together" : "The one that you are asked, at most"}: `, { className: "total" });
  total.append(el("b", `ε = ${+survey.epsilon.toPrecision(4)}`));
  show(["Survey", all ? `${asked.length} questions` : "one question"], [
    el("h1", all ? `${survey.questions.length} questions` : `One of ${survey.questions.length} questions, drawn by lot`),
    list, total, el("p", `${survey.promise} ${FEWER}`, { className: "quiet" }),
  ], [go, el("p", place.note, { className: "small" })]);
}
function questionScreen(survey, asked, at, answers, place) {
  const one = survey.questions[asked[at]], last = at === asked.length - 1;
  const step = to => to < 0 ? startScreen(survey, asked, place) : questionScreen(survey, asked, to, answers, place);
  const next = el("button", last ? "Draw my reports" : "Next", { className: "go", disabled: answers[asked[at]] === null });
  const { form, told } = question(one, v => { answers[asked[at]] = v; next.disabled = false; }, answers[asked[at]]);
  const draw = () => {
    const reports = survey.questions.map((each, i) => answers[i] === null ? null : randomise(each.law, answers[i]));
    answers.fill(null); // what was tapped is needed no more
    finish(survey, place, reports);
  };
  const leave = el("button", "Leave it out"), back = el("button", "Back"), row = el("div", undefined, { className: "row" });
  next.onclick = () => last ? draw() : step(at + 1);
  leave.onclick = () => { answers[asked[at]] = null; last ? draw() : step(at + 1); };
  back.onclick = () => step(at - 1);
  row.append(back, leave);
  show([`${at + 1} of ${asked.length}`, `${one.mechanism}, ε = ${one.epsilon}`], [form, told],
    [next, row, el("p", "What you leave out is seen to be left out.", { className: "small" })]);
  form.querySelector("input:checked, input").focus({ preventScroll: true });
}
// What the reports can mean, one after the other.
function drawnOf(survey, reports) {
  const sent = survey.questions.map((one, i) => [one, reports[i]]).filter(([, report]) => report !== null);
  if (survey.questions.length === 1)
    return sent.flatMap(([one, report]) => [...meaning(one, report), drawing(one)]);
  return sent.map(([one, report]) => {
    const fold = el("details"), body = el("div");
    body.append(el("p", `The phone drew ${named(one, report)}.`), ...meaning(one, report));
    fold.append(el("summary", textOf(one)), body);
    return fold;
  });
}
if (typeof module !== "undefined") module.exports = { coded, drawAsked };
