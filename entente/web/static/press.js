// Press: a tab for each partner, what was said there and when, what is unread, and messages to be sent.
import { $, button, element, fill, item, withRemove } from "./dom.js";
import { draftChanged, letters } from "./draft.js";
import { groupOf, groups, membersOf, offerGroups } from "./groups.js";
import { writeTo } from "./letterbox.js";
import { known } from "./powers.js";
import { mark, unread } from "./read.js";
import { changed, messages, table, watch } from "./state.js";

const ALL = "ALL";
let partner = ALL;
let fresh = new Set(); // ids of what was unread when the tab was opened, or came since
let isHeld = false; // true where the tab's messages were marked as unread, until a tab is chosen
let shown = ""; // what the list of letters was made of

function partnerOf(event) {
  const { sender, recipient } = event.data;
  const own = table.me.role;
  if (groupOf(event)) return groupOf(event);
  if (recipient === "BROADCAST" || recipient === ALL) return ALL;
  if (sender === own) return recipient;
  return recipient === own ? sender : [sender, recipient].sort().join("–");
}

// A seat may have something to read or to write with every other power.
function others() {
  const own = table.me.role;
  return known().includes(own) ? known().filter((power) => power !== own) : [];
}

const here = () => messages().filter((event) => partnerOf(event) === partner);

const received = () => here().filter(({ data }) => data.sender !== table.me.role);

function choose(name) {
  partner = name;
  fresh = new Set();
  isHeld = false;
  changed();
}

function look() {
  const found = unread().filter((event) => partnerOf(event) === partner);
  for (const { id } of found) fresh.add(id);
  if (!found.length || document.hidden || isHeld) return;
  mark(found, true);
  queueMicrotask(changed); // others show how many are unread
}

function tab(name) {
  const made = button(name, () => choose(name));
  made.setAttribute("role", "tab");
  made.setAttribute("aria-selected", name === partner);
  const count = unread().filter((event) => partnerOf(event) === name).length;
  if (count) made.append(element("span", { className: "unread", textContent: count }));
  return made;
}

function time(at) {
  const date = new Date(at * 1000);
  const isToday = date.toDateString() === new Date().toDateString();
  const text = isToday ? date.toLocaleTimeString() : date.toLocaleString();
  return element("time", { dateTime: date.toISOString(), textContent: text });
}

function letter({ id, at, phase, data }) {
  const to = data.also_to.length ? ` to ${[data.recipient, ...data.also_to].join(", ")}` : "";
  const from = `${data.sender}${to}: `;
  const head = element("small", {}, `${phase} `, ...(at ? [time(at), " "] : []), from);
  return element("li", { className: fresh.has(id) ? "fresh" : "" }, head, data.content);
}

function showLetters() {
  const events = here();
  const made = JSON.stringify([partner, events.map(({ id }) => [id, fresh.has(id)])]);
  if (made === shown) return;
  shown = made;
  const lines = events.map(letter);
  const none = item(`Nothing that you may read was said ${partner === ALL ? "to all" : "here"} yet.`, "none");
  $("letters").replaceChildren(...(lines.length ? lines : [none]));
  const first = $("letters").querySelector(".fresh");
  $("letters").scrollTop = first ? first.offsetTop - $("letters").offsetTop : $("letters").scrollHeight;
}

function unsent(mail) {
  return withRemove(`to ${mail.to}, not sent: ${mail.text}`, () => {
    letters.splice(letters.findIndex(({ to, text }) => to === mail.to && text === mail.text), 1);
    draftChanged();
  });
}

watch(() => {
  look();
  const writable = table.question?.view.can_write_to ?? [];
  fill($("tabs"), [...new Set([ALL, ...others(), ...groups(), ...messages().map(partnerOf)])].map(tab));
  showLetters();
  $("next").hidden = !unread().length;
  $("keep").hidden = isHeld || Boolean(table.view.outcome) || !received().length;
  $("write").hidden = !(partner === ALL ? writable.length : membersOf(partner).every((power) => writable.includes(power)));
  writeTo(partner);
  fill($("written"), (table.question ? letters : []).map(unsent));
});
offerGroups(choose);
$("next").onclick = () => choose(partnerOf(unread()[0]));
$("keep").onclick = () => {
  isHeld = true;
  mark(received().slice(-1), false);
  changed();
};
document.addEventListener("visibilitychange", changed);
