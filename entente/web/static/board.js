// The position of one phase, with its orders, what became of them, and the way from phase to phase.
import { get } from "./api.js";
import { $, item, said } from "./dom.js";
import { drafted, withoutOrder } from "./draft.js";
import * as map from "./map.js";
import { changed, phases, table, watch } from "./state.js";

export async function showPhase(phase) {
  if (!phase) return;
  table.shown = phase;
  history.replaceState(null, "", `${location.pathname}${location.search}#phase=${phase}`);
  const seen = await get(`/games/${table.game}/board?at=${phase}`);
  if (table.shown !== phase) return;
  table.seen = seen;
  changed();
}

export function step(by) {
  const line = phases();
  const next = line[Math.min(line.length - 1, Math.max(0, line.indexOf(table.shown) + by))];
  if (next !== table.shown) showPhase(next).catch((error) => said(error.message));
}

const isPlain = ({ outcomes }) => outcomes.length === 1 && outcomes[0] === "succeeded";

function stored(result) {
  return {
    text: result.order,
    kind: "stored",
    failed: !isPlain(result),
    dislodged: result.outcomes.includes("dislodged"),
    isVoid: result.outcomes.includes("void"),
  };
}

function showLine() {
  const line = phases();
  $("slider").max = line.length - 1;
  $("slider").value = line.indexOf(table.shown);
  $("slider").setAttribute("aria-valuetext", table.shown ?? "");
  $("phase").textContent = table.shown ?? "";
}

function showPosition() {
  if (!table.seen) return;
  const isNow = table.question && table.shown === table.question.view.phase;
  const drafts = isNow ? drafted().map((text) => ({ text, kind: "draft" })) : [];
  const todo = new Set(isNow ? withoutOrder() : []);
  map.show(table.seen.board, [...(table.seen.results ?? []).map(stored), ...drafts], todo);
}

function resultLine(result) {
  const { power, order, reason, outcomes } = result;
  return item(`${power} ${order}: ${reason || outcomes.join(", ")}`, isPlain(result) ? "" : "bad");
}

function showResults() {
  const results = table.seen?.results;
  const lines = results?.map(resultLine);
  $("results").replaceChildren(...(lines ?? [item("Not adjudicated yet.")]));
}

for (const show of [showLine, showPosition, showResults]) watch(show);
$("back").onclick = () => step(-1);
$("on").onclick = () => step(1);
$("slider").oninput = () => step($("slider").value - phases().indexOf(table.shown));
