// Two futures side by side: this game and one that it goes on from, or that goes on from it, at the phase that is shown.
import { get } from "./api.js";
import { ordersOf } from "./board.js";
import { $, element, said } from "./dom.js";
import * as map from "./map.js";
import { changed, table, watch } from "./state.js";

let shown = ""; // which other game, at which phase and with how many phases of ours

async function offer() {
  const games = await get("/games");
  const parent = games.find(({ game }) => game === table.game)?.forked_from;
  const others = games.filter(({ game, forked_from }) => game === parent || forked_from === table.game);
  const option = ({ game, name }) => element("option", { value: game, textContent: name || game.slice(0, 8) });
  $("other").replaceChildren(...others.map(option));
  $("other").disabled = !others.length;
  if (!others.length) $("beside").replaceChildren("This game is no fork, and has none.");
  await show();
}

async function show() {
  const [other, phase] = [$("other").value, table.shown];
  const known = `${other} ${phase} ${table.view.phases.length}`;
  if (!$("futures").open || !other || shown === known) return;
  shown = known;
  const [ours, theirs] = await Promise.all([table.game, other].map((game) => get(`/games/${game}/centers`)));
  const isThere = theirs.some((each) => each.phase === phase);
  const seen = isThere && (await get(`/games/${other}/board?at=${phase}`));
  if (shown !== known) return;
  const boards = [
    figure("This game", phase, table.seen),
    isThere ? figure("The other", phase, seen) : element("p", { textContent: `The other game has no ${phase}.` }),
  ];
  $("beside").replaceChildren(...boards, counts(ours, theirs));
}

// A picture of a position: the map draws it, and then what it had before.
function figure(title, phase, { board, results }) {
  map.show(board, ordersOf(results), new Set());
  const picture = $("map").cloneNode(true);
  changed();
  picture.removeAttribute("id");
  picture.setAttribute("class", "future");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `${title}, ${phase}`);
  for (const part of picture.querySelectorAll("[tabindex]")) part.removeAttribute("tabindex");
  return element("figure", {}, picture, element("figcaption", { textContent: `${title}, ${phase}` }));
}

const centersAt = (line, phase) => line.find((each) => each.phase === phase)?.centers;

// `S1901M` as it is sorted: the year, then the season, then the kind.
const when = ([season, ...rest]) => `${rest.slice(0, 4).join("")}${"SFW".indexOf(season)}${"MRA".indexOf(rest[4])}`;

const inTime = (one, other) => when(one).localeCompare(when(other));

// How many centers each power has in each phase: ours, and behind a bar theirs where that is not the same. What both
// have alike at first is left out, but for the last of it.
function counts(ours, theirs) {
  const powers = Object.keys(ours[0].centers);
  const head = ["Phase", ...powers].map((textContent) => element("th", { textContent }));
  const all = [...new Set([...ours, ...theirs].map(({ phase }) => phase))].sort(inTime);
  const isAlike = (phase) => JSON.stringify(centersAt(ours, phase)) === JSON.stringify(centersAt(theirs, phase));
  const parting = all.findIndex((phase) => !isAlike(phase));
  const rows = all.slice(Math.max(0, (parting < 0 ? all.length : parting) - 1)).map((phase) => {
    const [here, there] = [centersAt(ours, phase), centersAt(theirs, phase)];
    const cells = powers.map((power) => {
      const [a, b] = [here?.[power] ?? "–", there?.[power] ?? "–"];
      return element("td", { textContent: a === b ? a : `${a} | ${b}`, className: a === b ? "" : "bad" });
    });
    return element("tr", {}, element("td", { textContent: phase }), ...cells);
  });
  const told = parting < 0 ? "Centers: the same in both so far" : "Centers: this game | the other, where they differ";
  const caption = element("caption", { textContent: told });
  return element("table", {}, caption, element("tr", {}, ...head), ...rows);
}

const refresh = (work) => work().catch((error) => said(error.message));

$("futures").ontoggle = () => $("futures").open && refresh(offer);
$("other").onchange = () => refresh(show);
watch(() => {
  $("futures").hidden = Boolean(table.me.game);
  refresh(show);
});
