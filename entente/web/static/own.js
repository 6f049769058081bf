// The seat's own orders as they stand: drafted here, sent, or ready, which is sent and final.
import { drafted } from "./draft.js";
import { table } from "./state.js";

const sent = () => table.view.given?.orders ?? null;

// Orders are not final while the seat is asked about them again, as over mail that was not read.
const isFinal = () => !table.question || table.question.view.is_optional;

// Each order once, as `power`, `text` and `kind`: what is drafted goes over what was sent.
export function ownOrders() {
  const given = new Set(sent());
  const orders = table.question?.view.legal_orders.length ? drafted() : [...given];
  const kindOfSent = isFinal() ? "ready" : "sent";
  return orders.map((text) => ({ power: table.me.role, text, kind: given.has(text) ? kindOfSent : "draft" }));
}

// `draft` while something is not as it was sent, then `sent` or `ready`.
export function stage() {
  const orders = ownOrders();
  const isAsSent = sent() && orders.length === sent().length && orders.every(({ kind }) => kind !== "draft");
  if (!isAsSent) return "draft";
  return isFinal() ? "ready" : "sent";
}
