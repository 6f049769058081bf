// Orders as arrows. The line says how an order stands: dashed while it is drafted, solid when it was sent,
// with a lock when it is final. The end says what it is: a point for a move, a ball for support, a square for a
// convoy, a ring for a unit that stays. A cross is a failure, a burst a unit that was driven out.
import { letterOf } from "./powers.js";
import { make } from "./svg.js";

const HEADS = [
  ["head", 8, "M0 0 L10 5 L0 10 z"],
  ["ball", 5, "M1 5 a4 4 0 0 1 8 0 a4 4 0 0 1 -8 0 z"],
  ["square", 5, "M1 1 h8 v8 h-8 z"],
];
const HELP = { S: "support", C: "convoy" };

export function defineHeads(defs) {
  const size = { viewBox: "0 0 10 10", markerWidth: 4, markerHeight: 4, orient: "auto" };
  for (const [id, refX, d] of HEADS) {
    make("path", { d }, make("marker", { id, refX, refY: 5, ...size }, defs));
  }
}

// `places` are where units stand, and `outs` where dislodged ones do, by location.
export function arrow(layer, { power, text, kind, failed, dislodged, isVoid }, places, outs) {
  const words = text.split(" ");
  const verb = words[2];
  const from = at(words[1], verb === "R" ? outs : places);
  if (!from || verb === "B") return;
  const names = [kind, HELP[verb], failed && "failed", isVoid && "void"].filter(Boolean);
  const group = make("g", { class: names.join(" ") }, layer);
  if (dislodged) burst(group, from);
  const to = target(words, places);
  if (to) way(group, from, to, letterOf(power), failed && !isVoid);
  else make("circle", { class: "arrow stay", cx: from[0], cy: from[1], r: 34 }, group);
  if (kind === "ready") lock(group, from);
}

const at = (place, places) => places[place] ?? places[place?.slice(0, 3)];

// Where an order's arrow ends; nothing for a unit that stays where it is.
function target([, , verb, ...rest], places) {
  if (verb === "-" || verb === "R") return at(rest[0], places);
  if (!(verb in HELP)) return null;
  const [helped, goal] = [at(rest[1], places), rest[3] && at(rest[3], places)];
  return goal ? [(helped[0] + goal[0]) / 2, (helped[1] + goal[1]) / 2] : helped;
}

function way(group, from, to, letter, isCrossed) {
  // A little to the right of the way, so that two units which exchange places have two arrows.
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [dx, dy] = [(-(to[1] - from[1]) / length) * 7, ((to[0] - from[0]) / length) * 7];
  const along = (part) => [from[0] + (to[0] - from[0]) * part + dx, from[1] + (to[1] - from[1]) * part + dy];
  const d = `M${along(0)} L${along(1)}`;
  make("path", { class: "edge", d }, group);
  make("path", { class: "arrow", d }, group);
  const [cx, cy] = along(Math.min(0.5, 40 / length));
  make("circle", { class: "badge", cx, cy, r: 10 }, group);
  make("text", { class: "badge", x: cx, y: cy }, group, letter);
  if (!isCrossed) return;
  const [x, y] = along(0.6);
  make("path", { class: "cross", d: `M${x - 11} ${y - 11} l22 22 m0 -22 l-22 22` }, group);
}

function burst(group, [x, y]) {
  const points = Array.from({ length: 16 }, (_, i) => {
    const [angle, radius] = [(i * Math.PI) / 8, i % 2 ? 20 : 34];
    return `${x + radius * Math.cos(angle)},${y + radius * Math.sin(angle)}`;
  });
  make("polygon", { class: "burst", points: points.join(" ") }, group);
}

function lock(group, [x, y]) {
  const [left, top] = [x + 16, y - 34];
  make("path", { class: "shackle", d: `M${left + 4} ${top + 2} v-5 a7 7 0 0 1 14 0 v5` }, group);
  make("rect", { class: "lock", x: left, y: top + 1, width: 22, height: 16, rx: 3 }, group);
}
