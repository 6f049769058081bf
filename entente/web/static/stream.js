// What the server tells of the game, as it happens.
import { base, LOST } from "./api.js";
import { ask } from "./answer.js";
import { drawMap, forget, showPhase } from "./board.js";
import { said } from "./dom.js";
import { draftChanged } from "./draft.js";
import { changed, phases, table } from "./state.js";

const REFUSED = "The server tells no more of this game; reload the page to see why.";
let isLost = false; // until the server tells again how the game stands

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
  stream.onerror = () => {
    isLost = stream.readyState === EventSource.CONNECTING; // the browser tries again by itself
    said(isLost ? LOST : REFUSED);
  };
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
  await drawMap(view);
  if (isAsked) await ask();
  if (!view.question) table.question = null;
  if (isLost) found(isAsked);
  const stays = before && !isAsked && table.shown !== before.phase && phases().includes(table.shown);
  if (hasMoved) await showPhase(wanted() ?? (stays ? table.shown : view.phase));
  changed();
}

// What was drafted while nobody could keep it is kept now, if it is still for the same question.
function found(isAsked) {
  isLost = false;
  said("");
  if (table.question && !isAsked) draftChanged();
}

// The phase in the address, when the page is opened.
function wanted() {
  const phase = table.shown === null && new URLSearchParams(location.hash.slice(1)).get("phase");
  return phases().find((each) => each === phase);
}
