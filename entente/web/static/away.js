// Somebody stands in at the seat of whoever looks, who may take it back.
import { post } from "./api.js";
import { $, said } from "./dom.js";
import { table, watch } from "./state.js";

watch(() => {
  const { role } = table.me;
  const name = table.view.away?.[role];
  $("away").hidden = !name;
  $("away").querySelector("span").textContent = name ? `${name} plays ${role} while you are away. ` : "";
});

$("back-at-seat").onclick = () =>
  post(`/games/${table.game}/back`, { power: table.me.role }).catch((error) => said(error.message));
