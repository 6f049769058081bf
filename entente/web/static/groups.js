// Groups of powers that whoever looks writes to at once, a panel each. Every member gets a message of its own, which does
// not say who else has it. A group is called as a line of a draft names it: `ENGLAND, GERMANY`.
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

// By the id of the event: to which group whoever looks has said it.
export function saidToGroups() {
  const own = messages().filter(({ data }) => data.sender === table.me.role && known().includes(data.recipient));
  const saidAs = Map.groupBy(own, ({ moment, data }) => JSON.stringify([moment, data.content]));
  const named = [...saidAs.values()].flatMap((events) => {
    const name = nameOf(events.map(({ data }) => data.recipient));
    return isGroup(name) ? events.map(({ id }) => [id, name]) : [];
  });
  return new Map(named);
}

export const groups = () => [...new Set([...saidToGroups().values(), ...letters.map(({ to }) => to).filter(isGroup), ...opened()])];

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
