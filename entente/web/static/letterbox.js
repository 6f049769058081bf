// A message that is being written to each partner: kept in this browser until it is added to what is sent.
import { base } from "./api.js";
import { $ } from "./dom.js";
import { draftChanged, letters } from "./draft.js";
import { table } from "./state.js";

let partner = null;

const name = () => `begun ${base} ${table.game} ${partner}`;

function keep() {
  const text = $("letter").value;
  text ? localStorage.setItem(name(), text) : localStorage.removeItem(name());
}

export function writeTo(next) {
  if (next === partner) return;
  partner = next;
  $("letter").value = localStorage.getItem(name()) ?? "";
}

function add() {
  const text = $("letter").value.trim();
  if (text) letters.push({ to: partner, text });
  $("letter").value = "";
  keep();
  draftChanged();
}

$("letter").oninput = keep;
$("write").onsubmit = (event) => {
  event.preventDefault();
  add();
};
$("letter").onkeydown = (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  add();
};
