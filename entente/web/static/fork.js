// Another game that goes on from the phase that is looked at, with somebody else in one seat; for whoever runs all games.
import { get, post } from "./api.js";
import { showBegun } from "./begun.js";
import { $, element } from "./dom.js";
import { table, watch } from "./state.js";

const choice = (id, label, control) =>
  element("div", { className: "field" }, element("label", { htmlFor: id, textContent: label }), Object.assign(control, { id }));

async function offer() {
  const { players } = await get("/form");
  const powers = Object.keys(table.view.seats).map((power) => element("option", { textContent: power }));
  const player = element("input", { value: "human" });
  player.setAttribute("list", "fork-players");
  const form = element(
    "form",
    { onsubmit: fork },
    choice("fork-power", "Seat", element("select", {}, ...powers)),
    choice("fork-player", "Played by", player),
    element("datalist", { id: "fork-players" }, ...players.map((value) => element("option", { value }))),
    element("button", { id: "fork" }),
    element("p", { id: "fork-problem", className: "bad", role: "alert" }),
  );
  $("forking").append(form);
}

async function fork(event) {
  event.preventDefault();
  const body = { at: table.shown, seats: { [$("fork-power").value]: $("fork-player").value.trim() } };
  try {
    showBegun(await post(`/games/${table.game}/fork`, body), $("forking"));
  } catch (error) {
    $("fork-problem").textContent = error.message;
  }
}

$("forking").ontoggle = () => {
  if (!$("forking").querySelector("summary ~ *")) offer().then(show);
};

function show() {
  $("forking").hidden = table.me.role !== "OPERATOR" || Boolean(table.me.game) || !table.view.phase;
  if ($("fork")) $("fork").textContent = `Fork from ${table.shown}`;
}

watch(show);
