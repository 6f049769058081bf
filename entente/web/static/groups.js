// Groups of powers that talk together, a panel each: what is written there goes to every member, and says so. A group is
// called as a line of a draft names it, by the others: `ENGLAND, GERMANY`.
import { base } from "./api.js";
import { $, element, fill, said } from "./dom.js";
import { letters } from "./draft.js";
import { known } from "./powers.js";
import { messages, table, watch } from "./state.js";

export const membersOf = (name) => name.split(",").map((member) => member.trim());

export const isGroup = (name) => membersOf(name).length > 1;

const nameOf = (powers) => known().filter((power) => powers.includes(power)).join(", ");

const place = () => `groups ${base} ${table.game}`;

const opened = () => JSON.parse(localStorage.getItem(place()) ?? "[]");

// The group that an event was said in, by those of it who do not look; empty where it was said to one power or to all.
export function groupOf({ data: { sender, recipient, also_to: others } }) {
  return others.length ? nameOf([sender, recipient, ...others].filter((power) => power !== table.me.role)) : "";
}

export const groups = () =>
  [...new Set([...messages().map(groupOf), ...letters.map(({ to }) => to), ...opened()])].filter(isGroup);

// Offers those who can be written to; `choose` is given the group whose panel is opened.
export function offerGroups(choose) {
  $("gather").onclick = () => {
    const boxes = [...$("members").querySelectorAll("input:checked")];
    const name = nameOf(boxes.map(({ name: power }) => power));
    if (!isGroup(name)) return said("Two powers or more are wanted for a group.");
    localStorage.setItem(place(), JSON.stringify([...new Set([...opened(), name])]));
    for (const box of boxes) box.checked = false;
    $("several").open = false;
    said("");
    choose(name);
  };
}

watch(() => {
  const writable = table.question?.view.can_write_to ?? [];
  $("several").hidden = writable.length < 2;
  fill($("members"), writable.map((name) => element("label", {}, element("input", { type: "checkbox", name }), ` ${name}`)));
});
