// The page's beginning: who comes, to which game, and the parts that show it.
import { enter, get } from "./api.js";
import { offerBeginning } from "./begin.js";
import { $ } from "./dom.js";
import { table } from "./state.js";
import { drawMap } from "./board.js";
import { choose } from "./games.js";
import { listen } from "./stream.js";
import "./look.js";
import "./bar.js";
import "./clock.js";
import "./replay.js";
import "./answer.js";
import "./vote.js";
import "./press.js";
import "./chart.js";
import "./ledger.js";
import "./legend.js";
import "./operator.js";
import "./fork.js";
import "./futures.js";
import "./seats.js";
import "./away.js";
import "./crew.js";
import "./leader.js";
import "./shortcuts.js";

async function start() {
  table.me = await enter();
  table.game = table.me.game || new URLSearchParams(location.search).get("game");
  if (!table.game) return offerGames("Choose a game");
  Object.assign($("all"), { href: location.pathname, hidden: Boolean(table.me.game) });
  await drawMap(await get(`/games/${table.game}`));
  listen();
}

async function offerGames(text) {
  const games = await get("/games");
  choose(games, text);
  if (table.me.role === "OPERATOR") await offerBeginning(!games.length);
}

start().catch(async ({ message }) => {
  document.querySelector("main").hidden = true;
  $("now").textContent = message;
  if (table.me && !table.me.game) await offerGames(message);
});
