// Orders by clicks: unit, verb, target. Every step narrows the legal orders, and nothing is sent by it.
const VERBS = { H: "Hold", "-": "Move", S: "Support", C: "Convoy", R: "Retreat", D: "Disband", B: "Build" };
const $ = (id) => document.getElementById(id);
let legal = [], left = [], step = 0, due = 0, waives = 0, changed = () => {}, lightUp = () => {};
export let chosen = null;
// By unit, since a unit has one order; a power may waive several builds.
export const drafted = new Map();

export const unitOf = (order) => order === "WAIVE" ? "WAIVE" : order.split(" ").slice(0, 2).join(" ");
const placesIn = (order) => order.split(" ").slice(2).filter((word) => /^[A-Z]{3}(\/[A-Z]{2})?$/.test(word) && word !== "VIA").map((word) => word.slice(0, 3));

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
    const own = legal.filter((order) => order !== "WAIVE" && order.split(" ")[1].slice(0, 3) === province);
    [chosen, left, step] = own.length ? [province, own, 0] : [null, [], 0];
  }
  if (left.length === 1 && step) take(left[0]); else render();
}

export function key(letter) {
  const verb = { h: "H", m: "-", s: "S", c: "C", r: "R", d: "D", b: "B" }[letter];
  if (chosen && verb) pick(verb);
}

function pick(verb) {
  const fitting = left.filter((order) => order.split(" ")[2] === verb);
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
  const choices = [];
  const verbs = [...new Set(left.map((order) => order.split(" ")[2]))];
  if (chosen && verbs.length > 1) for (const verb of verbs) choices.push([VERBS[verb], () => pick(verb)]);
  const done = left.filter((order) => placesIn(order).length <= step && verbs.length === 1);
  if (step || verbs.length === 1) for (const order of done) choices.push([words(order), () => take(order)]);
  if (!chosen && legal.includes("WAIVE") && drafted.size < due) choices.push(["Waive a build", () => take("WAIVE")]);
  if (chosen) choices.push(["Cancel", cancel]);
  $("choices").replaceChildren(...choices.map(([text, act]) => Object.assign(document.createElement("button"), { textContent: text, onclick: act, type: "button" })));
  $("hint").textContent = !chosen ? legal.includes("WAIVE") ? "Choose a free home center on the map." : "Choose one of your units on the map." : verbs.length > 1 ? `${unitOf(left[0])}: what shall it do?` : `${unitOf(left[0])}: choose a lit province, or a button.`;
  const lit = chosen && verbs.length === 1 ? left.map((order) => placesIn(order)[step]).filter(Boolean) : [];
  lightUp(new Set(lit), new Set(legal.filter((order) => order !== "WAIVE").map((order) => order.split(" ")[1].slice(0, 3))));
}

function words(order) {
  if (order.endsWith("VIA")) return `${order} (by convoy)`;
  return order.split(" ")[2] === "S" && placesIn(order).length === 1 ? `Support ${order.split(" ").slice(3).join(" ")} to hold` : order;
}
