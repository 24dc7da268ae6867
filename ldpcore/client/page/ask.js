// The question, the draw, and what the report can mean. Whoever shows it says where (`main`), and how a report is handed over.
"use strict";
const el = (tag, text, props = {}) =>
  Object.assign(document.createElement(tag), text === undefined ? {} : { textContent: text }, props);
const percent = x => x >= 0.995 && x < 1 ? "over 99" : x > 0 && x < 0.005 ? "under 1" : String(Math.round(100 * x));
const of100 = x => x > 0 && x < 0.095 ? (100 * x).toPrecision(2) : String(Math.round(100 * x));
const quoted = names => names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
function named(client, report) {
  const said = client.answers.filter((_, v) => report >>> v & 1).map(answer => `“${answer}”`);
  return said.length ? quoted(said) : "no answer at all";
}
function show(head, parts, foot) {
  const top = el("header");
  top.append(el("span", head[0]), el("span", head[1]));
  const body = el("div"), bottom = el("footer");
  body.append(...parts);
  bottom.append(...foot);
  main.replaceChildren(top, body, bottom);
  scrollTo(0, 0);
}
// A question with its answers, of two that are asked as one a list for each; `changed` hears the number of the answer.
function question(client, changed, picked = null) {
  const form = el("fieldset"), lists = client.pair || [{ question: client.question || "What is your answer?", answers: client.answers }];
  const width = client.pair ? client.pair[1].answers.length : 1;
  const places = c => client.pair ? [Math.floor(c / width), c % width] : [c];
  const at = picked === null ? lists.map(() => null) : places(picked);
  const veiled = (side, v) => client.answers.every((_, c) => places(c)[side] !== v || hides(client.law, c));
  lists.forEach((list, side) => {
    const part = client.pair ? el("fieldset") : form;
    part.append(el("legend", list.question));
    list.answers.forEach((answer, v) => {
      const row = el("label"), hidden = veiled(side, v);
      const input = el("input", undefined, { type: "radio", name: `answer${side || ""}`, value: v, checked: at[side] === v });
      input.onchange = () => { at[side] = v; if (!at.includes(null)) changed(client.pair ? at[0] * width + at[1] : v); };
      row.append(input, el("span", answer), el("i", hidden ? "hidden" : "may be seen", { className: hidden ? "mark" : "" }));
      part.append(row);
    });
    if (client.pair) form.append(part);
  });
  const told = el("p", "The phone draws at random: its report may name another answer. Nobody can prove a ", { className: "quiet" });
  const open = client.answers.some((_, v) => !hides(client.law, v));
  told.append(el("b", "hidden", { className: "mark" }), open ? " answer from it. The others may go out as they are." : " answer from it.");
  return { form, told };
}
function choose(client, head, note, go) {
  const send = el("button", go.label, { className: "go", disabled: true });
  let picked = null;
  const { form, told } = question(client, v => { picked = v; send.disabled = false; });
  const alarm = el("p", "", { className: "small", role: "alert" });
  let report = null; // drawn once: whoever sent another after a failure would tell more
  send.onclick = () => {
    report = report === null ? randomise(client.law, picked) : report;
    picked = null; // what was tapped is needed no more
    form.disabled = send.disabled = true;
    alarm.textContent = "";
    go.send(report, why => { alarm.textContent = why; send.textContent = "Send it again"; send.disabled = false; });
  };
  show(head, [form, told], [alarm, send, el("p", note, { className: "small" })]);
}
function bar(label, value, share) {
  const row = el("div", undefined, { className: "bar" }), line = el("p", label);
  line.append(el("b", value));
  const full = el("div");
  full.append(el("div"));
  full.firstChild.style.width = `${100 * share}%`;
  row.append(line, full);
  return row;
}
// The answer that a report speaks for most, and how sure of it somebody is who had no idea, after so many equal reports.
function surest(client, report, times = 1) {
  const weights = chances(client.law, report).map(chance => chance ** times);
  const most = Math.max(...weights);
  return { answer: client.answers[weights.indexOf(most)], sure: most / weights.reduce((a, b) => a + b) };
}
function meaning(client, report) {
  const told = chances(client.law, report), said = named(client, report);
  const parts = [el("p", `What can be read from it? A phone draws ${said} …`)];
  told.map((chance, v) => [chance, v]).sort((a, b) => b[0] - a[0]).forEach(([chance, v]) =>
    parts.push(bar(`if the answer is ${client.answers[v]}`, `${of100(chance)} of 100`, chance)));
  const { answer, sure } = surest(client, report), before = percent(1 / client.answers.length);
  parts.push(el("p", sure === 1
    ? `Only who means “${answer}” sends this: the report shows it. This answer may be seen, and it was.`
    : `Whoever was ${before} % sure that it is “${answer}” can now be ${percent(sure)} % sure, never certain.`));
  return parts;
}
function again(client, report) {
  const parts = [el("p", "One phone, one report. A second one would tell more:")];
  [["one report", 1], ["two that agree", 2], ["three that agree", 3]].forEach(([label, times]) => {
    const { sure } = surest(client, report, times);
    parts.push(bar(label, `${percent(sure)} % sure`, sure));
  });
  const { answer } = surest(client, report);
  parts.push(el("p", `That the answer is “${answer}”, from ${percent(1 / client.answers.length)} % before.`, { className: "small" }));
  return parts;
}
function drawing(client) {
  const law = client.law, out = el("details");
  out.append(el("summary", "How does the phone draw?"));
  const say = text => out.append(el("p", text));
  if (law.family === "unary") {
    const v = client.answers.findIndex((_, x) => hides(law, x)), part = ([n, d]) => of100(n / d);
    say(`Every answer has a lot of its own. That of the true answer is named in ${part(law.own[v])} of 100 draws, that of any other hidden one in ${part(law.other[v])}.`);
    const open = client.answers.findIndex((_, x) => !hides(law, x));
    if (open >= 0) say(`An answer that may be seen is named by nobody but those who mean it, in ${part(law.own[open])} of 100 draws.`);
  } else {
    const truth = law.truth / (law.truth + law.any), names = quoted(law.marked.map(v => `“${client.answers[v]}”`));
    say(`In ${of100(truth)} of 100 draws it names the truth${law.w > 1 ? `, a hidden one beside ${law.w - 1} others` : ""}.`);
    say(`Otherwise it names ${law.w > 1 ? law.w : "one"} of ${names} by lot, whatever is true.`);
  }
  say("The lots come from the phone itself, and from nowhere else.");
  return out;
}
