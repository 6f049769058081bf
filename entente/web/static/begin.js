// The form of a new game, for whoever runs all games. What it can say comes from the server, with the settings' own words.
import { get, post } from "./api.js";
import { $, element } from "./dom.js";
import { showBegun } from "./begun.js";

let known; // the server's `Form`

export async function offerBeginning(isOpen) {
  known = await get("/form");
  const players = known.players.map((value) => element("option", { value }));
  const fields = Object.entries(known.settings).map(([name, schema]) => field(name, schema));
  const hint = element("p", { textContent: "Programs (MODULE:CLASS, exec:COMMAND) are seated at the command line alone." });
  const form = element("form", { noValidate: true, onsubmit: begin }, hint, ...fields, leaderFiles());
  form.append(element("datalist", { id: "players" }, ...players), problem(""));
  form.append(element("button", { textContent: "Make the game" }));
  $("begin").append(form);
  $("begin").open = isOpen;
  $("begin").hidden = false;
  input("map_name").onchange = showPowers;
  input("floor").onchange = showEffective;
  showEffective();
  await showPowers();
}

const input = (name) => $(`new-${name}`);

const problem = (name) => element("p", { id: `new-${name}-problem`, className: "bad", role: "alert" });

function field(name, schema) {
  const isTable = name === "seats";
  const label = element(isTable ? "legend" : "label", { textContent: schema.title });
  const help = element("small", { id: `new-${name}-help`, textContent: schema.description });
  const value = isTable ? element("div", {}) : control(schema);
  value.id = `new-${name}`;
  if (!isTable) label.htmlFor = value.id;
  if (name === "everyone") value.setAttribute("list", "players");
  value.setAttribute("aria-describedby", `${help.id} new-${name}-problem`);
  return element(isTable ? "fieldset" : "div", { className: "field" }, label, value, help, problem(name));
}

function leaderFiles() {
  const files = element("input", { id: "new-leaders", type: "file", multiple: true, accept: ".yaml,.yml,.json" });
  files.setAttribute("aria-describedby", "new-leaders-help new-leaders-problem");
  const label = element("label", { textContent: "Leaders", htmlFor: "new-leaders" });
  const words = "Files that entente create-leader has written. Each leads the power that it names: the persona of a language "
    + "model, the knobs of a diplomat, the card of a person.";
  const help = element("small", { id: "new-leaders-help", textContent: words });
  return element("div", { className: "field" }, label, files, help, problem("leaders"));
}

const chosenLeaders = () =>
  Promise.all([...input("leaders").files].map(async (file) => ({ name: file.name, text: await file.text() })));

function control({ type, enum: choices, default: usual }) {
  if (type === "boolean") return element("input", { type: "checkbox", checked: usual });
  if (!choices) return element("input", { placeholder: usual ?? "" });
  return element("select", {}, ...choices.map((each) => element("option", { textContent: each, selected: each === usual })));
}

function showEffective() {
  const hidden = known.without_effect[input("floor").value];
  for (const name of Object.keys(known.settings)) input(name).closest(".field").hidden = hidden.includes(name);
}

async function showPowers() {
  const { powers } = await get(`/maps/${input("map_name").value}`);
  const rows = powers.map((power) => {
    const player = element("input", { name: power });
    player.setAttribute("list", "players");
    return element("label", {}, `${power} `, player);
  });
  input("seats").replaceChildren(...rows);
}

function filledIn() {
  const settings = {};
  for (const [name, { type, default: usual }] of Object.entries(known.settings)) {
    if (input(name).closest(".field").hidden || name === "seats") continue;
    const value = type === "boolean" ? input(name).checked : input(name).value.trim();
    if (value !== "" && value !== usual) settings[name] = value;
  }
  const seated = [...input("seats").querySelectorAll("input")].filter(({ value }) => value.trim());
  if (seated.length) settings.seats = Object.fromEntries(seated.map(({ name, value }) => [name, value.trim()]));
  return settings;
}

async function begin(event) {
  event.preventDefault();
  for (const old of event.target.querySelectorAll("[role=alert]")) old.textContent = "";
  try {
    showBegun(await post("/games", { settings: filledIn(), leaders: await chosenLeaders() }), $("begin"));
  } catch ({ message, setting = [] }) {
    const [name, power] = setting;
    ($(`new-${name}-problem`) ?? $("new--problem")).textContent = message;
    const wrong = (power && input(name)?.querySelector(`[name=${CSS.escape(power)}]`)) ?? input(name);
    wrong?.focus();
  }
}
