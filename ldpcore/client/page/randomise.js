// Draws a report in whole numbers below 2^53, from 32-bit words: the twin of ldpcore/integer_law.py, draw for draw.
"use strict";
const UNIT = 4294967296, LARGEST = 9007199254740992;
const pool = new Uint32Array(256);
let left = 0;
function secureWord() {
  if (!left) { crypto.getRandomValues(pool); left = pool.length; }
  const word = pool[--left];
  pool[left] = 0;
  return word;
}
function below(n, word) {
  const wide = n > UNIT, size = wide ? LARGEST : UNIT, top = size - size % n;
  for (;;) {
    const drawn = wide ? (word() >>> 11) * UNIT + word() : word();
    if (drawn < top) return drawn % n;
  }
}
function randomise(law, value, word = secureWord) {
  let report = 0;
  if (law.family === "unary") {
    for (let v = 0; v < law.k; v++) {
      const [n, d] = (v === value ? law.own : law.other)[v];
      if (n && below(d, word) < n) report |= 1 << v;
    }
    return report;
  }
  const hidden = law.marked.slice();
  let rest = law.w;
  if (below(law.truth + law.any, word) < law.truth) {
    report = 1 << value;
    const at = hidden.indexOf(value);
    if (at < 0) return report;
    hidden.splice(at, 1);
    rest--;
  }
  for (let taken = 0; taken < rest; taken++) {
    const other = taken + below(hidden.length - taken, word);
    [hidden[taken], hidden[other]] = [hidden[other], hidden[taken]];
    report |= 1 << hidden[taken];
  }
  return report;
}
// To show, not to draw by: Pr[report | answer] for every answer.
function chances(law, report) {
  const has = v => report >>> v & 1, all = [];
  let mask = 0, subsets = 1;
  for (const v of law.marked || []) mask |= 1 << v;
  for (let i = 0; i < law.w; i++) subsets = subsets * (law.marked.length - i) / (i + 1);
  for (let x = 0; x < law.k; x++) {
    let chance = 1;
    if (law.family === "unary") {
      for (let v = 0; v < law.k; v++) {
        const [n, d] = (v === x ? law.own : law.other)[v];
        chance *= has(v) ? n / d : 1 - n / d;
      }
    } else {
      const total = law.truth + law.any;
      if (report & ~mask) chance = report === 1 << x ? law.truth / total : 0;
      else chance = (law.any + (has(x) ? law.truth * law.marked.length / law.w : 0)) / total / subsets;
    }
    all.push(chance);
  }
  return all;
}
// Whether a report can keep this answer from being proved.
const hides = (law, v) => law.family === "unary" ? law.other[v][0] > 0 : law.marked.includes(v);
if (typeof module !== "undefined") module.exports = { below, randomise, chances, hides };
