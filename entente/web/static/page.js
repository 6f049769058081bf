// The page: what is told by the stream, the board of a phase, press, and an answer that is sent once.
import { base, enter, get, post } from "./api.js";
import * as map from "./map.js";
import * as orders from "./orders.js";

const $ = (id) => document.getElementById(id);
const item = (text, kind = "") => Object.assign(document.createElement("li"), { textContent: text, className: kind });
const ALL = "ALL";
let me, game, view = null, shown = null, question = null, writing = null, press = [], partner = ALL, letters = [], read = {}, typing = 0, sending = false, readOrders = [];

async function start() {
  me = await enter();
  game = me.game || new URLSearchParams(location.search).get("game");
  if (!game) return choose(await get("/games"));
  Object.assign($("all"), { href: location.pathname, hidden: Boolean(me.game) });
  read = JSON.parse(localStorage.getItem(`read ${base} ${game}`) ?? "{}");
  const first = await get(`/games/${game}`);
  map.draw(await get(`/maps/${first.map_name}`), orders.click);
  listen();
}

function choose(games) {
  $("now").textContent = games.length ? "Choose a game" : "There is no game yet; `entente play` begins one.";
  document.querySelector("main").hidden = true;
  $("games").hidden = false;
  $("games").querySelector("ul").replaceChildren(...games.reverse().map(({ game, created_at, map_name, phase, status }) => {
    const line = item("");
    const begun = created_at ? new Date(created_at).toLocaleString() : "";
    line.append(Object.assign(document.createElement("a"), { href: `?game=${encodeURIComponent(game)}`, textContent: [game, status && `${phase || "not begun"}, ${status}`, map_name, begun].filter(Boolean).join(" · ") }));
    return line;
  }));
}

function listen() {
  const stream = new EventSource(`${base}/games/${game}/events`);
  stream.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    if (event.kind === "message") press.push(event);
    if (view) renderPress(), renderNow();
  };
  stream.addEventListener("reset", () => { press = []; });
  stream.addEventListener("end", () => stream.close());
  // One after the other: what an earlier view fetches may come late, and must not go over a newer one.
  let rendered = Promise.resolve();
  stream.addEventListener("view", ({ data }) => {
    rendered = rendered.then(() => renderView(JSON.parse(data))).catch((error) => said(error.message));
  });
}

async function renderView(next) {
  const asked = next.question && next.question !== question?.id;
  const moved = !view || next.phase !== view.phase || next.phases.length !== view.phases.length;
  view = next;
  if (asked) await ask();
  if (!next.question) question = null;
  const line = phases();
  $("slider").max = line.length - 1;
  if (moved) {
    const wanted = shown === null && new URLSearchParams(location.hash.slice(1)).get("phase");
    await showPhase(line.includes(wanted) ? wanted : view.phase);
  } else if (asked || !question) await showPhase(shown);
  renderNow();
  renderPress();
}

const phases = () => [...new Set([...view.phases, view.phase].filter(Boolean))];

const aimOf = ({ phase, ask: wish, round, orders_given }) => JSON.stringify([phase, wish, wish === "talk" && round, orders_given]);

async function ask() {
  const before = writing;
  question = await get(`/games/${game}/seat`);
  if (!question) return;
  const given = question.view.orders_given;
  writing = question.view;
  // Mail makes a question anew, a moment after it took the last one away; what is being written stays.
  if (before && aimOf(before) === aimOf(writing)) return draftChanged();
  orders.drafted.clear();
  readOrders = [];
  $("typed").value = "";
  for (const line of question.draft.orders) question.view.legal_orders.includes(line) ? orders.draft(line) : ($("typed").value += `${line}\n`);
  if (!question.draft.orders.length) given?.forEach(orders.draft);
  letters = question.draft.messages.map((line) => ({ to: line.split(":")[0], text: line.slice(line.indexOf(":") + 1).trim() }));
  orders.begin(question.view.legal_orders, wanted(), map.light, draftChanged);
  $("said").textContent = "";
}

function renderNow() {
  const unread = press.filter(isUnread).length;
  const mail = unread ? ` · ${unread} unread` : "";
  const wants = question?.view.orders_given ? {
    open: question.view.is_optional ? "your orders are in; write or order anew if you like" : "your orders are not final: read the mail that came before them, then send again",
  } : { talk: "write, or send to say nothing", orders: "your orders are wanted", open: "write and order as you like" };
  let text = { finished: "The game is over", paused: "The game is paused", waiting: "Waiting for other players", playing: "Others are thinking" }[view.status];
  if (view.outcome) text += `: ${view.outcome.kind.replace("_", " ")}, ${view.outcome.winners.join(", ")}`;
  if (question) {
    text = `${question.view.power}, ${wants[question.view.ask]}`;
    if (question.view.legal_orders.length) text += ` · ${drafted().length} of ${wanted()} orders drafted, not sent`;
  }
  const left = view.closes_at ? ` · closes in ${Math.max(0, Math.round(view.closes_at - Date.now() / 1000))} s` : "";
  $("now").textContent = `${view.phase} · ${text}${left}${mail}`;
  $("now").classList.toggle("wanted", Boolean(question));
  $("ordering").hidden = !question?.view.legal_orders.length;
  $("send").hidden = !question;
  $("send").disabled = sending;
  $("run").hidden = me.role !== "OPERATOR" || view.status !== "paused";
  $("pause").hidden = me.role !== "OPERATOR" || view.status !== "playing";
}

// How many orders are due: one a unit, or as many as there are to build or disband.
function wanted() {
  const { board, power } = question.view;
  if (!board.phase.endsWith("A")) return mine().length;
  return Math.abs(board.centers[power].length - board.units[power].length);
}

function mine() {
  const { board, power } = question.view;
  if (board.phase.endsWith("R")) return Object.keys(board.dislodged[power] ?? {});
  return board.phase.endsWith("A") ? [] : board.units[power];
}

async function showPhase(phase) {
  if (!phase) return;
  shown = phase;
  const line = phases();
  $("slider").value = line.indexOf(phase);
  $("slider").setAttribute("aria-valuetext", phase);
  $("phase").textContent = phase;
  history.replaceState(null, "", `${location.pathname}${location.search}#phase=${phase}`);
  const seen = await get(`/games/${game}/board?at=${phase}`);
  if (shown !== phase) return;
  const results = (seen.results ?? []).map((each) => ({
    text: each.order, failed: !(each.outcomes.length === 1 && each.outcomes[0] === "succeeded"),
    dislodged: each.outcomes.includes("dislodged"), isVoid: each.outcomes.includes("void"), kind: "stored",
  }));
  showPhase.board = seen.board;
  showPhase.results = results;
  $("results").replaceChildren(...(seen.results ?? []).map((each) => item(`${each.power} ${each.order}: ${each.reason || each.outcomes.join(", ")}`, each.outcomes[0] === "succeeded" ? "" : "bad")));
  if (!seen.results) $("results").append(item("Not adjudicated yet."));
  redraw();
}

function redraw() {
  const isNow = question && shown === question.view.phase;
  const drafts = isNow ? drafted().map((text) => ({ text, kind: "draft" })) : [];
  const todo = new Set(isNow && question.view.legal_orders.length ? mine().filter((unit) => !drafted().some((order) => orders.unitOf(order) === unit)) : []);
  map.show(showPhase.board, [...showPhase.results, ...drafts], { todo, chosen: null });
  if (isNow) orders.render();
  $("drafted").replaceChildren(...(question ? [...orders.drafted] : []).map(([unit, text]) => {
    const line = item(text);
    line.append(Object.assign(document.createElement("button"), { textContent: "Remove", type: "button", onclick: () => { orders.drafted.delete(unit); draftChanged(); } }));
    return line;
  }), ...[...todo].map((unit) => item(`${unit}: no order yet`, "bad")));
}

const typed = () => $("typed").value.split("\n").filter((line) => line.trim());
// A typed order goes over one that was clicked for the same unit, as it does when both are sent.
const drafted = () => [...[...orders.drafted.values()].filter((order) => order === "WAIVE" || !readOrders.some((each) => orders.unitOf(each) === orders.unitOf(order))), ...readOrders];
const allOrders = () => [...orders.drafted.values(), ...typed()];

function draftChanged() {
  redraw();
  renderNow();
  clearTimeout(typing);
  typing = setTimeout(keep, 250);
}

async function keep() {
  if (!question) return;
  const phase = question.view.phase;
  try {
    await post(`/games/${game}/draft`, { phase, orders: allOrders(), messages: letters.map(({ to, text }) => `${to}: ${text.replace(/\s*\n\s*/g, " ")}`) });
    const { verdicts, orders: found } = await post(`/games/${game}/orders`, { lines: typed() });
    $("echo").replaceChildren(...verdicts.map(({ line, verdict, order, note, nearest }) => item(
      verdict === "ok" ? `${order}: ok` : verdict === "repaired" ? `${line}: read as ${order}` : `${line}: ${note}${nearest ? ` (nearest: ${nearest})` : ""}`,
      verdict === "rejected" ? "bad" : "")));
    readOrders = found;
    redraw();
    renderNow();
  } catch (error) { said(error.message); }
}

const isUnread = (event) => event.data.sender !== me.role && !read[event.id];
const partnerOf = ({ data }) => data.recipient === "BROADCAST" || data.recipient === ALL ? ALL : data.sender === me.role ? data.recipient : me.role === data.recipient ? data.sender : `${data.sender}–${data.recipient}`;

function renderPress() {
  mark();
  const writable = question?.view.can_write_to ?? [];
  const partners = [...new Set([ALL, ...writable, ...press.map(partnerOf)])];
  $("tabs").replaceChildren(...partners.map((name) => {
    const tab = Object.assign(document.createElement("button"), { textContent: name, type: "button", onclick: () => { partner = name; renderPress(); renderNow(); } });
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", name === partner);
    const count = press.filter((event) => partnerOf(event) === name && isUnread(event)).length;
    if (count) tab.append(Object.assign(document.createElement("span"), { className: "unread", textContent: count }));
    return tab;
  }));
  $("letters").replaceChildren(...press.filter((event) => partnerOf(event) === partner).map((event) => {
    const line = item("");
    line.append(Object.assign(document.createElement("small"), { textContent: `${event.phase} ${event.data.sender}: ` }), event.data.content);
    return line;
  }));
  $("letters").scrollTop = $("letters").scrollHeight;
  $("write").hidden = !question || !(partner === ALL ? writable.length : writable.includes(partner));
  $("written").replaceChildren(...letters.map(({ to, text }, index) => {
    const line = item(`to ${to}, not sent: ${text}`);
    line.append(Object.assign(document.createElement("button"), { textContent: "Remove", type: "button", onclick: () => { letters.splice(index, 1); renderPress(); draftChanged(); } }));
    return line;
  }));
}

// How many of the question's messages were read, from the first on; orders over others are not final.
function readBefore() {
  const unread = new Set(press.filter(isUnread).map((event) => event.data.id));
  const first = question.view.press.findIndex(({ id }) => unread.has(id));
  return first < 0 ? question.view.press.length : first;
}

function mark() {
  if (document.hidden) return;
  for (const event of press) if (partnerOf(event) === partner) read[event.id] = 1;
  localStorage.setItem(`read ${base} ${game}`, JSON.stringify(read));
}

async function send() {
  if (sending || !question) return;
  sending = true;
  renderNow();
  const { view: asked, id } = question;
  const answer = { question: id };
  if (asked.ask !== "orders") answer.messages = letters;
  if (asked.ask === "orders" || (asked.ask === "open" && allOrders().length)) answer.orders = allOrders();
  if (asked.ask === "open") answer.read = readBefore();
  clearTimeout(typing);
  try {
    await post(`/games/${game}/answer`, answer);
    if (question?.id === id) forget(); // the next question may have come before this
    said("Sent, and kept.");
  } catch (error) { said(error.message); }
  sending = false;
  renderNow();
}

function forget() {
  [letters, readOrders, question, writing] = [[], [], null, null];
  orders.drafted.clear();
  orders.begin([], 0, map.light, draftChanged);
  renderPress();
  redraw();
}

function said(text) { $("said").textContent = text; }

function step(by) {
  const line = phases();
  const next = line[Math.min(line.length - 1, Math.max(0, line.indexOf(shown) + by))];
  if (next !== shown) showPhase(next);
}

$("send").onclick = send;
for (const act of ["run", "pause"]) $(act).onclick = () => post(`/games/${game}/${act}`, {}).catch((error) => said(error.message));
$("back").onclick = () => step(-1);
$("on").onclick = () => step(1);
$("slider").oninput = () => showPhase(phases()[$("slider").value]);
$("typed").oninput = draftChanged;
$("palette").onchange = () => { document.body.dataset.palette = $("palette").value; };
$("write").onsubmit = (event) => {
  event.preventDefault();
  if ($("letter").value.trim()) letters.push({ to: partner, text: $("letter").value.trim() });
  $("letter").value = "";
  renderPress();
  draftChanged();
};
document.addEventListener("keydown", (event) => {
  if (/TEXTAREA|INPUT|SELECT/.test(event.target.tagName) || event.ctrlKey || event.metaKey) return;
  const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
  if (by) step(by); else if (event.key === "Escape") orders.cancel(); else orders.key(event.key);
});
setInterval(() => view?.closes_at && renderNow(), 1000);
start().catch((error) => { $("now").textContent = error.message; });
