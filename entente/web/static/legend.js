// What the signs on the map mean, drawn as the map draws them.
import { $, element } from "./dom.js";
import { arrow } from "./arrows.js";
import { colour, known, letterOf, patternOf } from "./powers.js";
import { watch } from "./state.js";
import { make } from "./svg.js";

const [HERE, THERE] = [[44, 40], [134, 40]];
const PLACES = { AAA: HERE, BBB: THERE, CCC: THERE };
const SIGNS = [
  ["drafted, seen by you alone", { text: "A AAA - BBB", kind: "draft" }],
  ["sent", { text: "A AAA - BBB", kind: "sent" }],
  ["sent and ready", { text: "A AAA - BBB", kind: "ready" }],
  ["support", { text: "A AAA S A BBB", kind: "judged" }],
  ["convoy", { text: "F AAA C A BBB - CCC", kind: "judged" }],
  ["a unit that stays", { text: "A AAA H", kind: "sent" }],
  ["failed", { text: "A AAA - BBB", kind: "judged", failed: true }],
  ["driven out", { text: "A AAA H", kind: "judged", failed: true, dislodged: true }],
  ["without effect", { text: "A AAA S A BBB", kind: "judged", failed: true, isVoid: true }],
];

function line(text, paint) {
  const made = element("li");
  const svg = make("svg", { class: "map", viewBox: "0 -8 178 92", "aria-hidden": "true" }, made);
  paint(svg);
  made.append(text);
  return made;
}

function power(name) {
  return line(`${letterOf(name)}: ${name}`, (svg) => {
    const place = { x: 44, y: 12, width: 90, height: 52 };
    make("rect", { ...place, class: "swatch" }, svg).style.fill = colour(name);
    make("rect", { ...place, class: "patterns", fill: patternOf(name) }, svg);
  });
}

function show() {
  if ($("signs").children.length || !known().length) return;
  const [first] = known();
  const sign = ([text, order]) =>
    line(text, (svg) => arrow(svg, { power: first, ...order }, PLACES, PLACES));
  $("signs").replaceChildren(...SIGNS.map(sign), ...known().map(power));
}

watch(show);
