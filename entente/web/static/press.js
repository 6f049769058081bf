// Press: a tab for each partner, what was said there, what is unread, and messages to be sent.
import { base } from "./api.js";
import { $, button, element, fill, withRemove } from "./dom.js";
import { draftChanged, letters } from "./draft.js";
import { changed, messages, table, watch } from "./state.js";

const ALL = "ALL";
let partner = ALL;
let read = null; // ids of events that were looked at

const keyOfRead = () => `read ${base} ${table.game}`;

function wasRead() {
  read ??= JSON.parse(localStorage.getItem(keyOfRead()) ?? "{}");
  return read;
}

export const isUnread = (event) => event.data.sender !== table.me.role && !wasRead()[event.id];

export const unread = () => messages().filter(isUnread);

function partnerOf({ data: { sender, recipient } }) {
  const own = table.me.role;
  if (recipient === "BROADCAST" || recipient === ALL) return ALL;
  if (sender === own) return recipient;
  return recipient === own ? sender : `${sender}–${recipient}`;
}

// How many of the question's messages were read, from the first on; orders over others are not final.
export function readBefore() {
  const ids = new Set(unread().map((event) => event.data.id));
  const { press } = table.question.view;
  const first = press.findIndex(({ id }) => ids.has(id));
  return first < 0 ? press.length : first;
}

function mark() {
  if (document.hidden) return;
  for (const event of messages()) if (partnerOf(event) === partner) wasRead()[event.id] = 1;
  localStorage.setItem(keyOfRead(), JSON.stringify(wasRead()));
}

function tab(name) {
  const made = button(name, () => {
    partner = name;
    changed();
  });
  made.setAttribute("role", "tab");
  made.setAttribute("aria-selected", name === partner);
  const count = unread().filter((event) => partnerOf(event) === name).length;
  if (count) made.append(element("span", { className: "unread", textContent: count }));
  return made;
}

function letter({ phase, data }) {
  return element("li", {}, element("small", { textContent: `${phase} ${data.sender}: ` }), data.content);
}

function unsent(mail) {
  return withRemove(`to ${mail.to}, not sent: ${mail.text}`, () => {
    letters.splice(letters.indexOf(mail), 1);
    draftChanged();
  });
}

watch(() => {
  mark();
  const writable = table.question?.view.can_write_to ?? [];
  fill($("tabs"), [...new Set([ALL, ...writable, ...messages().map(partnerOf)])].map(tab));
  $("letters").replaceChildren(...messages().filter((event) => partnerOf(event) === partner).map(letter));
  $("letters").scrollTop = $("letters").scrollHeight;
  $("write").hidden = !(partner === ALL ? writable.length : writable.includes(partner));
  fill($("written"), (table.question ? letters : []).map(unsent));
});
$("write").onsubmit = (event) => {
  event.preventDefault();
  const text = $("letter").value.trim();
  if (text) letters.push({ to: partner, text });
  $("letter").value = "";
  draftChanged();
};
