// The position of one phase, with its orders, what became of them, and the way from phase to phase.
import { get } from "./api.js";
import { $, item, said } from "./dom.js";
import { withoutOrder } from "./draft.js";
import { ownOrders } from "./own.js";
import * as map from "./map.js";
import { click } from "./orders.js";
import { changed, phases, table, watch } from "./state.js";

const judgedBefore = new Map(); // what was shown of phases that are over

async function boardOf(phase) {
  const seen = judgedBefore.get(phase) ?? (await get(`/games/${table.game}/board?at=${phase}`));
  if (seen.results) judgedBefore.set(phase, seen);
  return seen;
}

let isDrawn = false;

// Draws the map, which is empty before the game has begun.
export async function drawMap({ map_name, phase }) {
  $("frame").hidden = !phase;
  if (isDrawn || !phase) return;
  const [outline, { board }] = await Promise.all([get(`/maps/${map_name}`), get(`/games/${table.game}/board`)]);
  map.draw(outline, Object.keys(board.units), click, board.units[table.me.role] ?? []);
  isDrawn = true;
}

export async function showPhase(phase) {
  if (!phase) return;
  table.shown = phase;
  history.replaceState(null, "", `${location.pathname}${location.search}#phase=${phase}`);
  const seen = await boardOf(phase);
  if (table.shown !== phase) return;
  table.seen = seen;
  changed();
}

// What was told before is told anew: a future was abandoned.
export function forget() {
  judgedBefore.clear();
  table.seen = null;
}

export function step(by) {
  const line = phases();
  const next = line[Math.min(line.length - 1, Math.max(0, line.indexOf(table.shown) + by))];
  if (next !== table.shown) showPhase(next).catch((error) => said(error.message));
}

const isPlain = ({ outcomes }) => outcomes.length === 1 && outcomes[0] === "succeeded";

function judged(result) {
  return {
    power: result.power,
    text: result.order,
    kind: "judged",
    failed: !isPlain(result),
    dislodged: result.outcomes.includes("dislodged"),
    isVoid: result.outcomes.includes("void"),
  };
}

export const ordersOf = (results) => (results ?? []).map(judged);

function showLine() {
  const line = phases();
  $("slider").max = Math.max(0, line.length - 1);
  $("slider").value = line.indexOf(table.shown);
  $("slider").setAttribute("aria-valuetext", table.shown ?? "");
  $("phase").textContent = table.shown ?? "";
}

function showPosition() {
  if (!table.seen) return;
  const isNow = !table.seen.results && table.shown === table.view.phase;
  const orders = isNow ? ownOrders() : ordersOf(table.seen.results);
  map.show(table.seen.board, orders, new Set(isNow ? withoutOrder() : []));
}

function resultLine(result) {
  const { power, order, reason, outcomes } = result;
  return item(`${power} ${order}: ${reason || outcomes.join(", ")}`, isPlain(result) ? "" : "bad");
}

function showResults() {
  const results = table.seen?.results;
  const lines = results?.map(resultLine);
  const none = table.view.outcome ? "The game was over before this phase." : "Not adjudicated yet.";
  $("results").replaceChildren(...(lines ?? [item(none)]));
}

for (const show of [showLine, showPosition, showResults]) watch(show);
$("back").onclick = () => step(-1);
$("on").onclick = () => step(1);
$("slider").oninput = () => step($("slider").value - phases().indexOf(table.shown));
