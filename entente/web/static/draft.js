// What is drafted for the seat's answer: orders that were clicked or typed, and messages.
// The server keeps it.
import { post } from "./api.js";
import { $, fill, item, said, withRemove } from "./dom.js";
import * as map from "./map.js";
import * as orders from "./orders.js";
import { changed, table, watch } from "./state.js";

export const letters = []; // messages to be sent: `to`, `text`
export let vote = null; // for or against a draw; null for none
let begun = ""; // a line that was begun at a terminal
let readOrders = []; // what the order reader made of the typed lines
let typing = 0;
let keeping = Promise.resolve(); // done when the server has what it was given to keep

const letterOf = (line) => ({ to: line.split(":")[0], text: line.slice(line.indexOf(":") + 1).trim() });

const lineOf = ({ to, text }) => `${to}: ${text.replace(/\s*\n\s*/g, " ")}`;

// Begins with what was kept for the question, or else with the orders that were given.
export function begin({ view, draft }) {
  clear();
  const isLegal = (line) => view.legal_orders.includes(line);
  const kept = draft.orders.length ? draft.orders : view.orders_given ?? [];
  kept.filter(isLegal).forEach(orders.draft);
  $("typed").placeholder = view.legal_orders.find((line) => line.includes(" - ")) ?? view.legal_orders[0] ?? "";
  $("typed").value = kept.filter((line) => !isLegal(line)).map((line) => `${line}\n`).join("");
  letters.push(...draft.messages.map(letterOf));
  [vote, begun] = [draft.draw, draft.begun];
  orders.begin(view.legal_orders, due(), map.light, draftChanged);
  if (typed().length) draftChanged(); // to be read
}

export function clear() {
  letters.length = 0;
  readOrders = [];
  [vote, begun] = [null, ""];
  $("typed").value = "";
  $("echo").replaceChildren();
  clearTimeout(typing);
  orders.drafted.clear();
  orders.begin([], 0, map.light, draftChanged);
}

// How many orders are due: one a unit, or as many as there are to build or disband.
export function due() {
  const { board, power } = table.question.view;
  if (!board.phase.endsWith("A")) return mine().length;
  return Math.abs(board.centers[power].length - board.units[power].length);
}

function mine() {
  const { board, power } = table.question.view;
  if (board.phase.endsWith("R")) return Object.keys(board.dislodged[power] ?? {});
  return board.phase.endsWith("A") ? [] : board.units[power];
}

export function withoutOrder() {
  if (!table.question?.view.legal_orders.length) return [];
  const ordered = new Set(drafted().map(orders.unitOf));
  return mine().filter((unit) => !ordered.has(unit));
}

const typed = () => $("typed").value.split("\n").filter((line) => line.trim());

// The typed order that goes over one that was clicked for the same unit, if there is one.
const typedInstead = (order) =>
  order !== "WAIVE" && readOrders.find((each) => orders.unitOf(each) === orders.unitOf(order));

// As they were clicked and typed, to be read by the server.
export const lines = () => [...orders.drafted.values(), ...typed()];

// As they would count.
export function drafted() {
  return [...[...orders.drafted.values()].filter((order) => !typedInstead(order)), ...readOrders];
}

export function castVote(value) {
  vote = value;
  draftChanged();
}

export function draftChanged() {
  changed();
  clearTimeout(typing);
  typing = setTimeout(() => {
    keeping = keep().catch((error) => said(error.message));
  }, 250);
}

// Done when nothing is being kept any more; what was changed last is not kept by that.
export function settled() {
  clearTimeout(typing);
  return keeping;
}

async function keep() {
  if (!table.question || table.isSending) return;
  const { phase } = table.question.view;
  const at = `/games/${table.game}`;
  const messages = letters.map(lineOf);
  await post(`${at}/draft`, { phase, orders: lines(), messages, draw: vote, begun });
  const { verdicts, orders: found } = await post(`${at}/orders`, { lines: typed() });
  $("echo").replaceChildren(...verdicts.map(echo));
  readOrders = found;
  changed();
}

function echo({ line, verdict, order, note, nearest }) {
  if (verdict === "ok") return item(`${order}: ok`);
  if (verdict === "repaired") return item(`${line}: read as ${order}`);
  return item(`${line}: ${note}${nearest ? ` (nearest: ${nearest})` : ""}`, "bad");
}

function clickedLine([unit, order]) {
  const instead = typedInstead(order);
  const text = instead && instead !== order ? `${order}: replaced by ${instead}, as typed` : order;
  return withRemove(text, () => {
    orders.drafted.delete(unit);
    draftChanged();
  });
}

watch(() => {
  $("ordering").hidden = !table.question?.view.legal_orders.length;
  orders.render();
  const left = withoutOrder().map((unit) => item(`${unit}: no order yet`, "bad"));
  fill($("drafted"), [...[...(table.question ? orders.drafted : [])].map(clickedLine), ...left]);
});
$("typed").oninput = draftChanged;
