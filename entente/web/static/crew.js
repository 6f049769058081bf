// What the crew says to what a person does or asks, a character at a time, and what can be picked of what it offers.
import { base } from "./api.js";
import { $, button, done, element, fill, said } from "./dom.js";
import { draftChanged, letters } from "./draft.js";
import { known } from "./powers.js";
import { table, watch } from "./state.js";

const NAMES = { narrator: "Narrator", keeper: "Keeper", jester: "Jester" };
const talk = String(Math.random()).slice(2); // this page's own
let steps = []; // what came and is not shown yet, since the typewriter is slower
let timer = 0;
let words = null; // where the voice that speaks is written
let stream = null; // of the action that is answered

export function startStreamingMessage(agentType) {
  words = element("span");
  $("told").append(element("p", { className: agentType }, element("b", {}, `${NAMES[agentType]}: `), words));
}

export function appendStreamingChar(char) {
  words.append(char);
}

export function endStreamingMessage() {
  words.normalize();
  words = null;
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function show(step) {
  steps.push(step);
  if (!timer) type();
}

// Writes the next character, and all that waits where there is no typewriter.
function type() {
  const pause = isStill() ? 0 : Number($("pace").value);
  do steps.shift()?.();
  while (!pause && steps.length);
  timer = steps.length ? setTimeout(type, pause) : 0;
}

// A voice that failed, in its own place; what the scripted one says in its stead follows.
function tellFault(error) {
  const told = element("em", { textContent: `(${error})` });
  if (words) words.append(" ", told, " ");
  else $("told").append(element("p", {}, told));
}

function tell(action) {
  stream?.close(); // which stops a model that still speaks
  steps = [];
  words = null;
  $("told").replaceChildren();
  $("told").setAttribute("aria-busy", "true");
  fill($("offered"), []);
  const asked = new URLSearchParams({ action, session_id: talk });
  const asking = (stream = new EventSource(`${base}/games/${table.game}/action/stream?${asked}`));
  const on = (name, step) => asking.addEventListener(name, ({ data }) => show(() => step(data ? JSON.parse(data) : {})));
  on("agent_start", ({ agent }) => startStreamingMessage(agent));
  on("agent_chunk", ({ chunk }) => appendStreamingChar(chunk));
  on("agent_end", endStreamingMessage);
  on("choices", ({ choices }) => fill($("offered"), choices.map((choice) => button(choice, () => pick(choice)))));
  asking.addEventListener("done", () => {
    asking.close();
    show(() => $("told").setAttribute("aria-busy", "false"));
  });
  asking.addEventListener("error", ({ data }) => {
    if (data) return show(() => tellFault(JSON.parse(data).error));
    asking.close();
    show(() => $("told").setAttribute("aria-busy", "false"));
    said("The crew does not answer.");
  });
}

// What is picked is drafted, and goes with everything else that is; a question is asked.
function pick(choice) {
  const [, to, text] = /^([A-Z]+): (.*)/.exec(choice) ?? [];
  if (choice.endsWith("?") && !known().includes(to)) return tell(choice);
  if (!table.question) return said("You are asked nothing at the moment, so nothing can be drafted.");
  if (to) letters.push({ to, text });
  else $("typed").value = `${$("typed").value.replace(/\n?$/, $("typed").value.trim() ? "\n" : "")}${choice}\n`;
  draftChanged();
  const isWanted = to || table.question.view.legal_orders.length;
  done(isWanted ? "Drafted. It goes when you press Send." : "Drafted for when your orders are wanted.");
}

// What was told of the phase that is looked at; until it is over, of the one before.
function tale() {
  const told = table.events.filter(({ kind, data }) => kind === "crew" && data.listener === "PUBLIC");
  const last = told.at(-1)?.phase;
  const isPlayed = told.some(({ phase }) => phase === table.shown);
  const phase = isPlayed || table.shown !== table.view.phase ? table.shown : last;
  const lines = told.filter((event) => event.phase === phase);
  const paragraphs = lines.map(({ data }) =>
    element("p", { className: data.voice }, element("b", {}, `${NAMES[data.voice]}: `), data.content),
  );
  fill($("tale"), lines.length ? [element("h3", {}, `${phase} as it is told`), ...paragraphs] : []);
}

watch(() => {
  $("crew").hidden = !table.view.phase;
  tale();
});
$("tell").onsubmit = (event) => {
  event.preventDefault();
  tell($("action").value);
};
$("happened").onclick = () => tell("");
$("pace").value = localStorage.getItem("pace") ?? "12";
$("pace").onchange = () => localStorage.setItem("pace", $("pace").value);
