// Who sits where: stand-ins for all, players and what their models cost for whoever runs the game, who also has somebody
// stand in for people who are away.
import { get, post } from "./api.js";
import { $, button, element, said } from "./dom.js";
import { table, watch } from "./state.js";

const COLUMNS = ["Power", "Player", "Calls", "Tokens", "Cost", "Malformed"];
let told = ""; // what was known when the seats were asked for

const row = (name, cells) => element("tr", {}, ...cells.map((textContent) => element(name, { textContent })));

const sum = (summaries, name) => summaries.reduce((total, each) => total + each[name], 0);

function cost(summaries) {
  const known = summaries.map(({ cost_usd }) => cost_usd).filter((usd) => usd !== null);
  if (!known.length) return "unknown";
  const least = sum(summaries, "unpriced_calls") ? "at least " : "";
  return `${least}$${known.reduce((a, b) => a + b, 0).toFixed(4)}`;
}

function cells({ power, player, stand_in, spent }) {
  const away = table.view.away?.[power];
  const marks = [away && `away: ${away} plays`, stand_in && !away && `${stand_in} stood in`];
  const sits = [player, ...marks].filter(Boolean).join("; ") || "nobody";
  const models = Object.values(spent ?? {});
  if (!models.length) return [power, sits];
  const tokens = sum(models, "prompt_tokens") + sum(models, "completion_tokens");
  return [power, sits, sum(models, "calls"), tokens.toLocaleString(), cost(models), sum(models, "malformed")];
}

async function show() {
  const known = JSON.stringify([table.events.length, table.view.away, table.view.status]);
  if (!$("seats").open || told === known) return;
  told = known;
  const lines = await get(`/games/${table.game}/seats`);
  const isWhole = lines.some(({ spent }) => Object.keys(spent ?? {}).length);
  const isTold = lines.some(({ player }) => player !== null);
  const head = row("th", isWhole ? COLUMNS : ["Power", isTold ? "Player" : "Stand-in"]);
  $("seats").querySelector("table").replaceChildren(head, ...lines.map((line) => {
    const made = row("td", cells(line));
    made.append(...hand(line));
    return made;
  }));
}

// A person's seat changes hands.
function hand({ power, player }) {
  if (player !== "human" || table.view.status === "finished") return [];
  const isAway = power in table.view.away;
  const [text, path] = isAway ? ["Give back", "back"] : ["Is away", "away"];
  const change = button(text, () => post(`/games/${table.game}/${path}`, { power }).catch((error) => said(error.message)));
  change.setAttribute("aria-label", `${power}: ${text}`);
  return [element("td", {}, change)];
}

const refresh = () => show().catch((error) => said(error.message));

$("seats").ontoggle = refresh;
watch(refresh);
