// The vote on ending the game in a draw: asked for twice, since it cannot be seen on the map, and cast
// with the orders.
import { $, button, element, fill } from "./dom.js";
import { castVote, vote } from "./draft.js";
import { table, watch } from "./state.js";

const RULE = "A draw ends the game for all survivors, when all of them have voted for it in the same phase.";
let isAsking = false;

function ask(isAsked) {
  isAsking = isAsked;
  show();
}

function cast(value) {
  isAsking = false;
  castVote(value);
}

const has = (value) => `You have voted ${value ? "for" : "against"} a draw in this phase.`;

const will = (value) => `Your vote ${value ? "for" : "against"} a draw goes with Send.`;

function state() {
  const given = table.view.given?.draw ?? null;
  const yes = ["Vote for a draw with my orders", () => cast(true)];
  if (isAsking) return [RULE, yes, ["Cancel", () => ask(false)]];
  if (vote !== null) return [will(vote), ["Take the vote back", () => cast(null)]];
  if (given) return [has(given), ["Vote against a draw", () => cast(false)]];
  return [given === null ? "" : has(given), ["Vote for a draw", () => ask(true)]];
}

function show() {
  const mayVote = table.question && table.question.view.ask !== "talk";
  const [text, ...acts] = state();
  $("vote").hidden = !mayVote && !text;
  const buttons = mayVote ? acts.map(([name, act]) => button(name, act)) : [];
  fill($("vote"), [element("p", { textContent: text }), ...buttons]);
}

watch(show);
