// How the page looks, as this browser was told: the palette, and patterns on the land.
import { $ } from "./dom.js";

const kept = JSON.parse(localStorage.getItem("look") ?? "{}");

function show() {
  const chosen = { palette: $("palette").value, patterns: $("patterns").checked };
  Object.assign(document.body.dataset, chosen);
  localStorage.setItem("look", JSON.stringify(chosen));
}

$("palette").value = kept.palette ?? "usual";
$("patterns").checked = kept.patterns ?? false;
$("palette").onchange = () => {
  if ($("palette").value === "gray") $("patterns").checked = true;
  show();
};
$("patterns").onchange = show;
show();
