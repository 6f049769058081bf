// How many supply centers each power had over time: a line each, told apart by dashes and letters too.
import { get } from "./api.js";
import { $, element, said } from "./dom.js";
import { colour, dashOf, known, letterOf } from "./powers.js";
import { phases, table, watch } from "./state.js";
import { make } from "./svg.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 260, 30, 80, 16, 26];
let counts = []; // the server's `CenterCount`, a phase each
let fetched = ""; // for which phases

async function fetchCounts() {
  const wanted = phases().join();
  if (wanted === fetched) return;
  fetched = wanted;
  counts = await get(`/games/${table.game}/centers`);
  show();
}

const most = () => Math.max(6, ...counts.flatMap(({ centers }) => Object.values(centers)));

const x = (place) => LEFT + ((WIDTH - LEFT - RIGHT) * place) / Math.max(1, counts.length - 1);

const y = (count) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * count) / most();

function axes(svg) {
  for (let count = 0; count <= most(); count += most() > 12 ? 6 : 2) {
    make("path", { class: "grid", d: `M${LEFT} ${y(count)} H${WIDTH - RIGHT}` }, svg);
    make("text", { x: LEFT - 12, y: y(count) }, svg, count);
  }
  const springs = [...counts.entries()].filter(([, { phase }]) => /^S.*M$/.test(phase));
  const every = Math.ceil(springs.length / 12);
  springs.filter((_, index) => index % every === 0).forEach(([place, { phase }]) => {
    make("text", { x: x(place), y: HEIGHT - 10 }, svg, phase.slice(1, 5));
  });
}

function line(svg, power, shift) {
  const steps = counts.map(({ centers }, place) => [x(place), y(centers[power]) + shift]);
  const d = steps.map(([left, top], place) => (place ? `H${left} V${top}` : `M${left} ${top}`)).join(" ");
  make("path", { class: "casing", d }, svg);
  const inner = make("path", { class: "series", d, "stroke-dasharray": dashOf(power) }, svg);
  inner.style.stroke = colour(power);
}

// Powers with as many centers share a place at the lines' end.
function ends(svg) {
  const latest = counts.at(-1).centers;
  for (const count of new Set(Object.values(latest))) {
    const letters = known().filter((power) => latest[power] === count).map(letterOf).join("");
    make("text", { class: "end", x: WIDTH - RIGHT + 6, y: y(count) }, svg, letters);
  }
}

function chip(power, count) {
  const mark = element("span", { className: "mark", textContent: letterOf(power) });
  mark.style.background = colour(power);
  return element("li", {}, mark, ` ${power} ${count}`);
}

function show() {
  const place = counts.findIndex(({ phase }) => phase === table.shown);
  const svg = $("chart");
  svg.replaceChildren();
  $("centers").hidden = place < 0;
  svg.toggleAttribute("hidden", counts.length < 2);
  if (place < 0) return;
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  axes(svg);
  const apart = Math.min(3.5, (y(0) - y(1)) / known().length); // or else equal powers would hide each other
  known().forEach((power, index) => line(svg, power, (index - known().length / 2) * apart));
  ends(svg);
  make("path", { class: "now", d: `M${x(place)} ${TOP} V${HEIGHT - BOTTOM}` }, svg);
  const sorted = Object.entries(counts[place].centers).sort(([, one], [, other]) => other - one);
  $("counts").replaceChildren(...sorted.map(([power, count]) => chip(power, count)));
}

watch(() => {
  show();
  fetchCounts().catch((error) => said(error.message));
});
