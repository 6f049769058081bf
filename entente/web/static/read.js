// Which messages were looked at: kept in this browser, for each link and game.
import { base } from "./api.js";
import { messages, table } from "./state.js";

let marks = null; // by the id of the event

const name = () => `read ${base} ${table.game}`;

function known() {
  marks ??= JSON.parse(localStorage.getItem(name()) ?? "{}");
  return marks;
}

export function mark(events, isRead) {
  for (const { id } of events) isRead ? (known()[id] = 1) : delete known()[id];
  localStorage.setItem(name(), JSON.stringify(known()));
}

const isUnread = (event) => event.data.sender !== table.me.role && !known()[event.id];

// When the game is over, nothing that is shown then has to be read.
export const unread = () => (table.view?.outcome ? [] : messages().filter(isUnread));

// How many of the question's messages were read, from the first on; orders over others are not final.
export function readBefore() {
  const ids = new Set(unread().map((event) => event.data.id));
  const { press } = table.question.view;
  const first = press.findIndex(({ id }) => ids.has(id));
  return first < 0 ? press.length : first;
}
