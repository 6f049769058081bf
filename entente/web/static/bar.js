// The bar at the top: the phase, what is expected of whoever looks, and what is unread.
import { $ } from "./dom.js";
import { drafted, due } from "./draft.js";
import { stage } from "./own.js";
import { unread } from "./read.js";
import { table, watch } from "./state.js";

const STATUS = {
  finished: "The game is over",
  paused: "The game is paused",
  waiting: "Waiting for other players",
  playing: "Others are thinking",
};
const OF_ONLOOKERS = { ...STATUS, waiting: "Waiting for players", playing: "The game goes on" };
const WHO = { OPERATOR: "Whoever runs the game", PUBLIC: "Onlooker" };

const WISHES = {
  talk: "write, or send to say nothing",
  orders: "your orders are wanted",
  open: "write and order as you like",
};

const STAGES = { draft: "drafted, not sent", sent: "sent, not final", ready: "sent and ready" };

const NOT_BEGUN = "The game has not begun";

function standing({ phase, status, outcome, given, waiting_for }) {
  if (!phase) return NOT_BEGUN;
  if (outcome) return outcome.text;
  if (status === "waiting" && waiting_for?.length) return `Waiting for ${waiting_for.join(", ")}`;
  if (!given) return OF_ONLOOKERS[status];
  return given.orders ? `Your orders are sent and ready · ${STATUS[status].toLowerCase()}` : STATUS[status];
}

// As whom somebody comes: a power, or an onlooker, at once or so many phases later.
function who(role) {
  const late = role.startsWith("DELAYED-") && Number(role.slice("DELAYED-".length));
  return late ? `Onlooker, ${late} phase${late === 1 ? "" : "s"} late` : WHO[role] ?? role;
}

function wish({ ask, orders_given, is_optional }) {
  if (!orders_given) return WISHES[ask];
  return is_optional
    ? "your orders are in; write or order anew if you like"
    : "your orders are not final: read the mail that came before them, then send again";
}

function expected({ view, is_early }) {
  const counted = ` · ${drafted().length} of ${due()} orders ${STAGES[stage()]}`;
  const early = is_early ? " · others are thinking, what you send is kept for the game" : "";
  return `${view.power}, ${wish(view)}${view.legal_orders.length ? counted : ""}${early}`;
}

watch(() => {
  const { view, question } = table;
  const count = unread().length;
  const text = [view.phase, question ? expected(question) : standing(view), count && `${count} unread`];
  $("now").textContent = text.filter(Boolean).join(" · ");
  $("who").textContent = who(table.me.role);
  $("bar").classList.toggle("wanted", Boolean(question));
  const call = question && !question.view.is_optional ? "your turn" : view.phase ? STATUS[view.status] : NOT_BEGUN;
  document.title = [count && `(${count})`, view.phase, call, "entente"].filter(Boolean).join(" ");
});
