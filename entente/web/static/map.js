// The board as SVG: outlines once, then units, centers and orders anew for each position.
const NS = "http://www.w3.org/2000/svg";
const svg = document.getElementById("map");
let outline, shapes, layer, onProvince = () => {};

export function make(name, attributes, parent, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

export function draw(given, choose) {
  outline = given;
  onProvince = choose;
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${outline.width} ${outline.height}`);
  arrowHead();
  const land = make("g", outline.transform ? { transform: outline.transform } : {}, svg);
  shapes = new Map();
  for (const each of outline.shapes) {
    const kind = each.province ? (each.is_sea ? "sea" : "land") : "none";
    const points = each.kind === "path" ? "d" : "points";
    const shape = make(each.kind, { class: kind, [points]: each.points }, land);
    if (!each.province) continue;
    shape.dataset.province = each.province;
    make("title", {}, shape, outline.names[each.province]);
    shape.addEventListener("click", () => onProvince(each.province));
    shape.addEventListener("keydown", (event) => chosenByKey(event, each.province));
    shapes.set(each.province, [...(shapes.get(each.province) ?? []), shape]);
  }
  for (const label of outline.labels) make("text", { x: label.x, y: label.y }, svg, label.text);
  layer = make("g", {}, svg);
}

function arrowHead() {
  const size = { viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" };
  make("path", { d: "M0 0 L10 5 L0 10 z" }, make("marker", { id: "head", ...size }, make("defs", {}, svg)));
}

// The position with these orders; of the units in `todo` an order is wanted.
export function show(board, orders, todo) {
  layer.replaceChildren();
  for (const part of [...shapes.values()].flat()) part.style.removeProperty("--owner");
  for (const owned of [board.influence ?? {}, board.centers])
    for (const [power, places] of Object.entries(owned)) places.forEach((place) => paint(place, power));
  for (const center of outline.centers) {
    const [x, y] = outline.units[center];
    make("circle", { class: "center", cx: x - 26, cy: y + 16, r: 6 }, layer);
  }
  for (const order of orders) arrow(order);
  const kind = (unit) => (todo.has(unit) ? "unit todo" : "unit");
  for (const [power, units] of Object.entries(board.units))
    for (const unit of units) piece(power, unit, outline.units, kind(unit));
  for (const [power, units] of Object.entries(board.dislodged))
    for (const unit of Object.keys(units)) piece(power, unit, outline.dislodged, `out ${kind(unit)}`);
}

const colour = (power) => `var(--${power}, #bbb)`;

function paint(place, power) {
  for (const part of shapes.get(place.slice(0, 3)) ?? []) part.style.setProperty("--owner", colour(power));
}

function piece(power, unit, places, kind) {
  const [type, place] = unit.split(" ");
  const [x, y] = places[place] ?? places[place.slice(0, 3)];
  const group = make("g", {}, layer);
  const shape = type === "A"
    ? make("rect", { class: kind, x: x - 18, y: y - 15, width: 36, height: 30, rx: 4 }, group)
    : make("path", { class: kind, d: `M${x - 22} ${y - 12} h44 l-11 26 h-22 z` }, group);
  shape.style.fill = colour(power);
  shape.dataset.unit = unit;
  make("title", {}, shape, `${power} ${unit}`);
  make("text", { class: "letter", x, y }, group, power[0] + type.toLowerCase());
  shape.addEventListener("click", () => onProvince(place.slice(0, 3)));
}

// Lights targets up. The keyboard reaches these, and the provinces that orders begin with.
export function light(targets, starts) {
  for (const [province, parts] of shapes) {
    const isLit = targets.has(province);
    for (const part of parts) part.classList.toggle("lit", isLit);
    reach(parts[0], isLit || starts.has(province));
  }
}

function reach(shape, isReached) {
  for (const [name, value] of [["tabindex", "0"], ["role", "button"]])
    isReached ? shape.setAttribute(name, value) : shape.removeAttribute(name);
}

function chosenByKey(event, province) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  onProvince(province);
}

const at = (place, places = outline.units) => places[place] ?? places[place?.slice(0, 3)];

function arrow({ text, kind, failed, dislodged, isVoid }) {
  const words = text.split(" ");
  const group = make("g", { class: [kind, failed && "failed", isVoid && "void"].filter(Boolean).join(" ") }, layer);
  const from = at(words[1], words[2] === "R" ? outline.dislodged : outline.units);
  if (!from) return;
  if (dislodged) burst(group, from);
  let to, how = "";
  if (words[2] === "-" || words[2] === "R") to = at(words[3]);
  if (words[2] === "S" || words[2] === "C") {
    how = words[2] === "S" ? "support" : "convoy";
    const helped = at(words[4]), goal = words[6] && at(words[6]);
    to = goal ? [(helped[0] + goal[0]) / 2, (helped[1] + goal[1]) / 2] : helped;
  }
  if (how) group.classList.add(how);
  if (!to) return;
  way(group, from, to, failed && !isVoid);
}

function way(group, from, to, isCrossed) {
  // A little to the right of the way, so that two units which exchange places have two arrows.
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [dx, dy] = [(-(to[1] - from[1]) / length) * 7, ((to[0] - from[0]) / length) * 7];
  const d = `M${from[0] + dx} ${from[1] + dy} L${to[0] + dx} ${to[1] + dy}`;
  make("path", { class: "edge", d }, group);
  make("path", { class: "arrow", d }, group);
  if (!isCrossed) return;
  const [x, y] = [(from[0] + to[0]) / 2 + dx, (from[1] + to[1]) / 2 + dy];
  make("path", { class: "cross", d: `M${x - 11} ${y - 11} l22 22 m0 -22 l-22 22` }, group);
}

function burst(group, [x, y]) {
  const points = Array.from({ length: 16 }, (_, i) => {
    const [angle, radius] = [(i * Math.PI) / 8, i % 2 ? 20 : 34];
    return `${x + radius * Math.cos(angle)},${y + radius * Math.sin(angle)}`;
  });
  make("polygon", { class: "burst", points: points.join(" ") }, group);
}
