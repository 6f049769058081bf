// Orders by clicks: unit, verb, target. Every step narrows the legal orders, and nothing is sent by it.
import { $, button, fill } from "./dom.js";

const VERBS = { H: "Hold", "-": "Move", S: "Support", C: "Convoy", R: "Retreat", D: "Disband", B: "Build" };
const KEYS = { h: "H", m: "-", s: "S", c: "C", r: "R", d: "D", b: "B" };

let legal = []; // all that may be ordered
let due = 0; // how many orders are wanted
let chosen = null; // the province that an order begins with
let left = []; // the orders that fit what was chosen so far
let step = 0; // how many targets were chosen
let waives = 0;
let changed = () => {};
let lightUp = () => {};

// By unit, since a unit has one order; a power may waive several builds.
export const drafted = new Map();

export const unitOf = (order) => order === "WAIVE" ? "WAIVE" : order.split(" ").slice(0, 2).join(" ");

const isPlace = (word) => /^[A-Z]{3}(\/[A-Z]{2})?$/.test(word) && word !== "VIA";

const placesIn = (order) => order.split(" ").slice(2).filter(isPlace).map((word) => word.slice(0, 3));

const verbOf = (order) => order.split(" ")[2];

const startOf = (order) => order.split(" ")[1].slice(0, 3);

export function begin(orders, count, light, change) {
  [legal, due, lightUp, changed] = [orders, count, light, change];
  cancel();
}

export function cancel() {
  [chosen, left, step] = [null, [], 0];
  render();
}

export function click(province) {
  if (!legal.length) return;
  const aimed = chosen ? left.filter((order) => placesIn(order)[step] === province) : [];
  if (aimed.length) {
    [left, step] = [aimed, step + 1];
  } else {
    const own = legal.filter((order) => order !== "WAIVE" && startOf(order) === province);
    [chosen, left, step] = own.length ? [province, own, 0] : [null, [], 0];
  }
  if (left.length === 1 && step) take(left[0]); else render();
}

export function key(letter) {
  if (chosen && letter in KEYS) pick(KEYS[letter]);
}

function pick(verb) {
  const fitting = left.filter((order) => verbOf(order) === verb);
  if (fitting.length) left = fitting;
  if (left.length === 1) take(left[0]); else render();
}

function take(order) {
  draft(order);
  cancel();
  changed();
}

export function draft(order) {
  const place = (unit) => unit.slice(2, 5);
  const isWaive = order === "WAIVE";
  if (!isWaive) for (const unit of [...drafted.keys()]) if (place(unit) === place(order)) drafted.delete(unit);
  drafted.set(isWaive ? `WAIVE ${(waives += 1)}` : unitOf(order), order);
}

export function render() {
  const verbs = [...new Set(left.map(verbOf))];
  fill($("choices"), choices(verbs).map(([text, act]) => button(text, act)));
  $("hint").textContent = hint(verbs);
  const isAiming = chosen && verbs.length === 1;
  const targets = isAiming ? left.map((order) => placesIn(order)[step]).filter(Boolean) : [];
  const starts = legal.filter((order) => order !== "WAIVE").map(startOf);
  lightUp(new Set(targets), new Set(starts), chosen && unitOf(left[0]));
}

function choices(verbs) {
  const mayWaive = legal.includes("WAIVE") && drafted.size < due;
  if (!chosen) return mayWaive ? [["Waive a build", () => take("WAIVE")]] : [];
  const made = verbs.length > 1
    ? verbs.map((verb) => [VERBS[verb], () => pick(verb)])
    : left.filter((order) => placesIn(order).length <= step).map((order) => [words(order), () => take(order)]);
  return [...made, ["Cancel", cancel]];
}

function hint(verbs) {
  const kind = legal.includes("WAIVE") ? "a free home center" : "one of your units";
  if (!chosen) return `Choose ${kind} on the map.`;
  const unit = unitOf(left[0]);
  return `${unit}: ${verbs.length > 1 ? "what shall it do?" : "choose a lit province, or a button."}`;
}

function words(order) {
  if (order.endsWith("VIA")) return `${order} (by convoy)`;
  const isHelpToHold = verbOf(order) === "S" && placesIn(order).length === 1;
  return isHelpToHold ? `Support ${order.split(" ").slice(3).join(" ")} to hold` : order;
}
