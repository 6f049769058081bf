// What the seat is asked, and the answer that is sent once.
import { get, post } from "./api.js";
import { $, done, said } from "./dom.js";
import * as draft from "./draft.js";
import { readBefore } from "./read.js";
import { changed, table, watch } from "./state.js";

let aim = ""; // what is being written for
let isSending = false;

const aimOf = ({ phase, ask: wish, round, orders_given }) =>
  JSON.stringify([phase, wish, wish === "talk" && round, orders_given]);

export async function ask() {
  table.question = await get(`/games/${table.game}/seat`);
  if (!table.question) return;
  // Mail makes a question anew, a moment after it took the last one away; what is being written stays.
  if (aim === aimOf(table.question.view)) return draft.draftChanged();
  aim = aimOf(table.question.view);
  draft.begin(table.question);
  said("");
}

async function send() {
  if (isSending || !table.question) return;
  isSending = true;
  changed();
  const { id } = table.question;
  try {
    await post(`/games/${table.game}/answer`, answer());
    if (table.question?.id === id) forget(); // the next question may have come before this
    done("Sent, and kept.");
  } catch (error) {
    said(error.message);
  }
  isSending = false;
  changed();
}

function answer() {
  const { id, view } = table.question;
  const orders = draft.lines();
  const made = { question: id };
  if (view.ask !== "orders") made.messages = draft.letters;
  if (view.ask === "orders" || (view.ask === "open" && orders.length)) made.orders = orders;
  if (view.ask === "open") made.read = readBefore();
  if (view.ask !== "talk" && draft.vote !== null) made.draw = draft.vote;
  return made;
}

function forget() {
  table.question = null;
  aim = "";
  draft.clear();
}

watch(() => {
  $("send").hidden = !table.question;
  $("send").disabled = isSending;
  if (table.view.outcome) $("done").textContent = "";
});
$("send").onclick = send;
