// What whoever runs the game can do with it.
import { post } from "./api.js";
import { $, said } from "./dom.js";
import { table, watch } from "./state.js";

const SHOWN_WHEN = { run: "paused", pause: "playing" };

for (const [act, status] of Object.entries(SHOWN_WHEN)) {
  $(act).onclick = () => post(`/games/${table.game}/${act}`, {}).catch((error) => said(error.message));
  watch(() => {
    $(act).hidden = table.me.role !== "OPERATOR" || table.view.status !== status;
  });
}
