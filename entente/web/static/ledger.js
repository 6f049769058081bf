// What powers have committed themselves to, as far as the visitor may know, while somebody looks at it.
import { get } from "./api.js";
import { $, item, said } from "./dom.js";
import { messages, phases, table, watch } from "./state.js";

const IS_OPEN = new Set(["proposed", "accepted", "stated"]);
let fetched = ""; // after which messages and phases

function line({ what, outcome, status, made }) {
  return item(`${made} ${what}: ${outcome}`, status === "broken" ? "bad" : "");
}

function list(id, commitments) {
  const none = [item("None that you may know of.")];
  $(id).replaceChildren(...(commitments.length ? commitments.map(line) : none));
}

async function show() {
  const wanted = `${messages().length} ${phases().length}`;
  if (!$("ledger").open || wanted === fetched) return;
  fetched = wanted;
  const known = (await get(`/games/${table.game}/commitments`)).reverse();
  list("open", known.filter(({ status }) => IS_OPEN.has(status)));
  list("ended", known.filter(({ status }) => !IS_OPEN.has(status)));
}

const showOrSay = () => show().catch((error) => said(error.message));

watch(showOrSay);
$("ledger").ontoggle = showOrSay;
