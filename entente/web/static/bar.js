// The bar at the top: the phase, what is expected of whoever looks, and what is unread.
import { $ } from "./dom.js";
import { drafted, due } from "./draft.js";
import { unread } from "./press.js";
import { table, watch } from "./state.js";

const STATUS = {
  finished: "The game is over",
  paused: "The game is paused",
  waiting: "Waiting for other players",
  playing: "Others are thinking",
};

const WISHES = {
  talk: "write, or send to say nothing",
  orders: "your orders are wanted",
  open: "write and order as you like",
};

function standing({ status, outcome }) {
  if (!outcome) return STATUS[status];
  return `${STATUS[status]}: ${outcome.kind.replace("_", " ")}, ${outcome.winners.join(", ")}`;
}

function wish({ ask, orders_given, is_optional }) {
  if (!orders_given) return WISHES[ask];
  return is_optional
    ? "your orders are in; write or order anew if you like"
    : "your orders are not final: read the mail that came before them, then send again";
}

function expected({ view }) {
  const counted = ` · ${drafted().length} of ${due()} orders drafted, not sent`;
  return `${view.power}, ${wish(view)}${view.legal_orders.length ? counted : ""}`;
}

export function showBar() {
  const { view, question } = table;
  const parts = [view.phase, question ? expected(question) : standing(view)];
  const left = Math.round(view.closes_at - Date.now() / 1000);
  if (view.closes_at) parts.push(`closes in ${Math.max(0, left)} s`);
  if (unread().length) parts.push(`${unread().length} unread`);
  $("now").textContent = parts.join(" · ");
  $("now").classList.toggle("wanted", Boolean(question));
}

watch(showBar);
