// Who sits where: stand-ins for all, players and what their models cost for whoever runs the game.
import { get } from "./api.js";
import { $, element, said } from "./dom.js";
import { table, watch } from "./state.js";

const COLUMNS = ["Power", "Player", "Calls", "Tokens", "Cost", "Malformed"];
let told = -1; // how many events there were when the seats were asked for

const row = (name, cells) => element("tr", {}, ...cells.map((textContent) => element(name, { textContent })));

const sum = (summaries, name) => summaries.reduce((total, each) => total + each[name], 0);

function cost(summaries) {
  const known = summaries.map(({ cost_usd }) => cost_usd).filter((usd) => usd !== null);
  if (!known.length) return "unknown";
  const least = sum(summaries, "unpriced_calls") ? "at least " : "";
  return `${least}$${known.reduce((a, b) => a + b, 0).toFixed(4)}`;
}

function cells({ power, player, stand_in, spent }) {
  const sits = [player, stand_in && `${stand_in} stands in`].filter(Boolean).join("; ");
  const models = Object.values(spent ?? {});
  if (!models.length) return [power, sits];
  const tokens = sum(models, "prompt_tokens") + sum(models, "completion_tokens");
  return [power, sits, sum(models, "calls"), tokens.toLocaleString(), cost(models), sum(models, "malformed")];
}

async function show() {
  if (!$("seats").open || told === table.events.length) return;
  told = table.events.length;
  const lines = await get(`/games/${table.game}/seats`);
  const isWhole = lines.some(({ spent }) => Object.keys(spent ?? {}).length);
  const head = row("th", isWhole ? COLUMNS : COLUMNS.slice(0, 2));
  $("seats").querySelector("table").replaceChildren(head, ...lines.map((line) => row("td", cells(line))));
}

const refresh = () => show().catch((error) => said(error.message));

$("seats").ontoggle = refresh;
watch(refresh);
