// How long the phase is open, and warnings before it is closed without whoever has not ordered.
import { $ } from "./dom.js";
import { table, watch } from "./state.js";

const WARNINGS = [[10, "10 seconds"], [60, "1 minute"], [300, "5 minutes"]]; // the shortest first
let warned = ""; // what was said last

const two = (count) => String(count).padStart(2, "0");

function spelt(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

// What becomes then of orders that were not sent.
const unsent = ({ sends_drafts }) => `Orders that are not sent by then are ${sends_drafts ? "sent as drafted" : "not given"}.`;

function warn(left) {
  const due = WARNINGS.find(([seconds]) => left <= seconds);
  const { view } = table.question ?? {};
  const text = due && left ? `Less than ${due[1]} left: ${view.phase} is closed then. ${unsent(view)}` : "";
  if (text === warned) return; // said aloud each time that it is set
  $("warning").textContent = warned = text;
}

function show() {
  const { closes_at } = table.view;
  $("clock").hidden = !closes_at;
  if (!closes_at) return warn(Infinity);
  const left = Math.max(0, Math.round(closes_at - Date.now() / 1000));
  $("clock").textContent = left ? `closes in ${spelt(left)}` : "time is over";
  $("clock").classList.toggle("soon", left <= 60);
  warn(table.question ? left : Infinity);
}

watch(show);
setInterval(() => table.view && show(), 1000);
