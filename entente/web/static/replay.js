// The phases one after the other, by themselves, as fast as is wished.
import { showPhase } from "./board.js";
import { $, said } from "./dom.js";
import { phases, table, watch } from "./state.js";

const PHASE_MS = 1600;
let timer = null; // null while nothing is replayed
let place = ""; // the phase that the replay has come to

const isLast = () => table.shown === phases().at(-1);

function stop() {
  clearTimeout(timer);
  timer = null;
  $("replay").textContent = "Replay";
}

async function go(phase) {
  place = phase;
  timer = setTimeout(next, PHASE_MS / $("speed").value);
  $("replay").textContent = "Stop";
  await showPhase(phase);
}

function next() {
  const line = phases();
  if (isLast()) return stop();
  go(line[line.indexOf(table.shown) + 1]).catch((error) => {
    stop();
    said(error.message);
  });
}

$("replay").onclick = () => {
  if (timer) return stop();
  return isLast() ? go(phases()[0]) : next();
};
watch(() => {
  $("replaying").hidden = phases().length < 2;
  if (timer && table.shown !== place) stop(); // somebody looks elsewhere
});
