// What the server tells of the game, as it happens.
import { base } from "./api.js";
import { ask } from "./answer.js";
import { forget, showPhase } from "./board.js";
import { said } from "./dom.js";
import { changed, phases, table } from "./state.js";

export function listen() {
  const stream = new EventSource(`${base}/games/${table.game}/events`);
  stream.onmessage = ({ data }) => {
    table.events.push(JSON.parse(data));
    changed();
  };
  stream.addEventListener("reset", () => {
    table.events = [];
    forget();
  });
  stream.addEventListener("end", () => stream.close());
  // One after the other: what an earlier view fetches may come late, and must not go over a newer one.
  let taken = Promise.resolve();
  stream.addEventListener("view", ({ data }) => {
    taken = taken.then(() => take(JSON.parse(data))).catch((error) => said(error.message));
  });
}

async function take(view) {
  const before = table.view;
  const isAsked = view.question && view.question !== table.question?.id;
  const hasMoved = !table.seen || view.phase !== before.phase || view.phases.length !== before.phases.length;
  table.view = view;
  if (isAsked) await ask();
  if (!view.question) table.question = null;
  const stays = before && !isAsked && table.shown !== before.phase && phases().includes(table.shown);
  if (hasMoved) await showPhase(wanted() ?? (stays ? table.shown : view.phase));
  changed();
}

// The phase in the address, when the page is opened.
function wanted() {
  const phase = table.shown === null && new URLSearchParams(location.hash.slice(1)).get("phase");
  return phases().find((each) => each === phase);
}
