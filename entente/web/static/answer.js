// What the seat is asked, and the answer that is sent once.
import { get, post } from "./api.js";
import { $, done, said } from "./dom.js";
import * as draft from "./draft.js";
import { readBefore } from "./read.js";
import { changed, table, watch } from "./state.js";

let aim = ""; // what is being written for

const aimOf = ({ phase, ask: wish, round, orders_given }) =>
  JSON.stringify([phase, wish, wish === "talk" && round, orders_given]);

export async function ask() {
  table.question = await get(`/games/${table.game}/seat`);
  if (!table.question) return;
  // Mail makes a question anew, a moment after it took the last one away; what is being written stays.
  if (aim === aimOf(table.question.view)) return draft.draftChanged();
  aim = aimOf(table.question.view);
  draft.begin(table.question);
}

// What was answered, by which it can be told from what is drafted next.
const named = ({ phase, ask: wish, round }) => (wish === "talk" ? `${phase}, round ${round}` : phase);

async function send() {
  if (table.isSending || !table.question) return;
  table.isSending = true;
  said("");
  changed();
  const { id, view } = table.question;
  const made = answer();
  await draft.settled(); // or else what is being kept would be told that nothing is asked any more
  try {
    await post(`/games/${table.game}/answer`, made);
    if ([id, undefined].includes(table.question?.id)) forget(); // the next question may have come before this
    done(`${named(view)}: sent, and kept.`);
  } catch (error) {
    said(error.message);
    await ask().catch(() => {}); // where nothing is asked any more no draft is kept, which would be refused as well
  }
  table.isSending = false;
  draft.draftChanged(); // what was refused, or changed meanwhile, is still a draft
}

function answer() {
  const { id, view } = table.question;
  const orders = draft.lines();
  const made = { question: id };
  if (view.ask !== "orders") made.messages = draft.letters.map(({ to, text }) => ({ to, text }));
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
  $("send").disabled = table.isSending;
  if (table.view.outcome) $("done").textContent = "";
});
$("send").onclick = send;
