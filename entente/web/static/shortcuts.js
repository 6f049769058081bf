// Keys: arrows lead through the phases, letters choose what a unit does, Esc takes a choice back.
import { step } from "./board.js";
import * as orders from "./orders.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

document.addEventListener("keydown", (event) => {
  if (/TEXTAREA|INPUT|SELECT/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in STEPS) step(STEPS[event.key]);
  else if (event.key === "Escape") orders.cancel();
  else orders.key(event.key);
});
