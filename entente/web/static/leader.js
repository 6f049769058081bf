// The card of whoever looks, where its seat has a leader and is asked.
import { $ } from "./dom.js";
import { table, watch } from "./state.js";

watch(() => {
  const card = table.question?.view.leader;
  $("leader").hidden = !card;
  $("leader").querySelector("p").textContent = card ?? "";
});
