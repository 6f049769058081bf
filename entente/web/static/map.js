// The board as SVG: outlines once, then centers, orders and units anew for each position.
import { $ } from "./dom.js";
import { arrow, defineHeads } from "./arrows.js";
import { colour, letterOf, meet, patternOf } from "./powers.js";
import { make } from "./svg.js";

const svg = $("map");
let outline; // the server's `Outline`
let shapes; // the parts of each province
let patterns; // over the land, under names and units
let layer; // all else that a position has
let drawn = ""; // what it was drawn from
let chosen = null; // the unit that an order is made for
let onProvince = () => {};
let pressed = [0, 0]; // where the pointer went down

const DRAG_PIXELS = 8;

svg.addEventListener("pointerdown", ({ clientX, clientY }) => {
  pressed = [clientX, clientY];
});
// Whoever drags the board chooses nothing.
svg.addEventListener("click", (event) => {
  const way = Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]);
  if (event.detail && way > DRAG_PIXELS) event.stopPropagation(); // a click without a pointer has no detail
}, true);

// `own` are the units of whoever looks.
export function draw(given, powers, choose, own) {
  outline = given;
  onProvince = choose;
  svg.replaceChildren();
  drawn = "";
  svg.setAttribute("viewBox", `0 0 ${outline.width} ${outline.height}`);
  const defs = make("defs", {}, svg);
  defineHeads(defs);
  meet(powers, defs);
  const placed = outline.transform ? { transform: outline.transform } : {};
  const land = make("g", placed, svg);
  patterns = make("g", { class: "patterns", ...placed }, svg);
  shapes = new Map();
  for (const each of outline.shapes) addShape(each, land);
  for (const label of outline.labels) make("text", { x: label.x, y: label.y }, svg, label.text);
  layer = make("g", {}, svg);
  lookAt(own.map((unit) => outline.units[unit.split(" ")[1]]));
}

// On a small screen the board is larger than its frame, which begins with these places, or with the board's middle.
function lookAt(places) {
  const frame = svg.parentElement;
  const middle = (of, whole) => places.length ? places.reduce((sum, place) => sum + place[of], 0) / places.length : whole / 2;
  const [x, y] = [middle(0, outline.width) / outline.width, middle(1, outline.height) / outline.height];
  frame.scrollTo(x * frame.scrollWidth - frame.clientWidth / 2, y * frame.scrollHeight - frame.clientHeight / 2);
}

function addShape({ province, kind, points, is_sea }, land) {
  const name = province ? (is_sea ? "sea" : "land") : "none";
  const shape = make(kind, { class: name, [kind === "path" ? "d" : "points"]: points }, land);
  if (!province) return;
  shape.dataset.province = province;
  make("title", {}, shape, outline.names[province]);
  shape.addEventListener("click", () => onProvince(province));
  shape.addEventListener("keydown", (event) => chosenByKey(event, province));
  shapes.set(province, [...(shapes.get(province) ?? []), shape]);
}

function chosenByKey(event, province) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  onProvince(province);
}

// The position with these orders; of the units in `todo` an order is wanted.
export function show(board, orders, todo) {
  const made = JSON.stringify([board, orders, [...todo]]);
  if (made === drawn) return; // or else a click would be lost that has begun on a unit
  drawn = made;
  layer.replaceChildren();
  patterns.replaceChildren();
  showOwners({ ...board.influence }, board.centers);
  for (const order of orders) arrow(layer, order, outline.units, outline.dislodged);
  const kind = (unit) => (todo.has(unit) ? "unit todo" : "unit");
  for (const [power, units] of Object.entries(board.units))
    for (const unit of units) piece(power, unit, outline.units, kind(unit));
  for (const [power, units] of Object.entries(board.dislodged))
    for (const unit of Object.keys(units)) piece(power, unit, outline.dislodged, `out ${kind(unit)}`);
  markChosen();
}

function showOwners(influence, centers) {
  for (const part of [...shapes.values()].flat()) part.style.removeProperty("--owner");
  const owners = new Map();
  for (const owned of [influence, centers])
    for (const [power, places] of Object.entries(owned)) for (const place of places) owners.set(place, power);
  for (const [place, power] of owners) paint(place, power);
  const holder = (place) => Object.keys(centers).find((power) => centers[power].includes(place));
  for (const place of outline.centers) center(outline.units[place], holder(place));
}

function paint(place, power) {
  for (const part of shapes.get(place.slice(0, 3)) ?? []) {
    if (part.classList.contains("sea")) continue;
    part.style.setProperty("--owner", colour(power));
    const copy = part.cloneNode();
    for (const name of ["class", "style", "tabindex", "role", "data-province"]) copy.removeAttribute(name);
    copy.setAttribute("fill", patternOf(power));
    patterns.append(copy);
  }
}

function center([x, y], power) {
  make("circle", { class: "center", cx: x - 33, cy: y + 18, r: power ? 11 : 7 }, layer);
  if (power) make("text", { class: "owner", x: x - 33, y: y + 18 }, layer, letterOf(power));
}

function piece(power, unit, places, kind) {
  const [type, place] = unit.split(" ");
  const [x, y] = places[place] ?? places[place.slice(0, 3)];
  const group = make("g", {}, layer);
  const shape = type === "A"
    ? make("rect", { class: kind, x: x - 22, y: y - 18, width: 44, height: 36, rx: 5 }, group)
    : make("path", { class: kind, d: `M${x - 28} ${y - 15} h56 l-13 32 h-30 z` }, group);
  shape.style.fill = colour(power);
  shape.dataset.unit = unit;
  make("title", {}, shape, `${power} ${unit}`);
  make("text", { class: "letter", x, y }, group, letterOf(power) + type.toLowerCase());
  shape.addEventListener("click", () => onProvince(place.slice(0, 3)));
}

// Lights targets up, and marks the unit that an order is made for. The keyboard reaches the targets, and the provinces
// that orders begin with.
export function light(targets, starts, unit) {
  chosen = unit;
  markChosen();
  for (const [province, parts] of shapes) {
    const isLit = targets.has(province);
    for (const part of parts) part.classList.toggle("lit", isLit);
    reach(parts[0], isLit || starts.has(province));
  }
}

function markChosen() {
  for (const each of svg.querySelectorAll("[data-unit]")) each.classList.toggle("chosen", each.dataset.unit === chosen);
}

function reach(shape, isReached) {
  for (const [name, value] of [["tabindex", "0"], ["role", "button"]])
    isReached ? shape.setAttribute(name, value) : shape.removeAttribute(name);
}
