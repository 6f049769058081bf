// The phases one after the other, by themselves, as fast as is wished.
import { showPhase } from "./board.js";
import { $, said } from "./dom.js";
import { phases, table, watch } from "./state.js";

const PHASE_MS = 1600;
let place = null; // the phase that the replay has come to; null while nothing is replayed
let timer = 0;

const isLast = () => table.shown === phases().at(-1);

function stop() {
  clearTimeout(timer);
  place = null;
  $("replay").textContent = "Replay";
}

async function go(phase) {
  place = phase;
  $("replay").textContent = "Stop";
  try {
    await showPhase(phase);
  } catch (error) {
    stop();
    said(error.message);
  }
  if (place === phase) timer = setTimeout(next, PHASE_MS / $("speed").value);
}

function next() {
  const line = phases();
  if (isLast()) return stop();
  return go(line[line.indexOf(table.shown) + 1]);
}

$("replay").onclick = () => {
  if (place) return stop();
  return isLast() ? go(phases()[0]) : next();
};
watch(() => {
  $("replaying").hidden = phases().length < 2;
  if (place && table.shown !== place) stop(); // somebody looks elsewhere
});
