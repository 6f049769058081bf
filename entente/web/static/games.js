// The list of games, for a link that opens more than one.
import { $, element } from "./dom.js";

export function choose(games, text) {
  $("now").textContent = games.length ? text : "There is no game yet.";
  document.querySelector("main").hidden = true;
  $("games").hidden = false;
  $("games").querySelector("ul").replaceChildren(...games.reverse().map(line));
}

function line({ game, name, created_at, map_name, phase, status }) {
  const begun = created_at ? new Date(created_at).toLocaleString() : "";
  const stands = status && `${phase || "not begun"}, ${status}`;
  const text = [name || game, stands, map_name, begun].filter(Boolean).join(" · ");
  return element("li", {}, element("a", { href: `?game=${encodeURIComponent(game)}`, textContent: text }));
}
