// A game that was just made: the links of its seats, which the server tells this once, and the way to it.
import { post } from "./api.js";
import { button, element, item } from "./dom.js";

export function showBegun({ game, links, leaders, notes }, place) {
  const page = `${location.pathname}?game=${encodeURIComponent(game)}`;
  const problem = element("p", { className: "bad", role: "alert" });
  const play = button("Play it", async () => {
    try {
      await post(`/games/${game}/run`, {});
      location.href = page;
    } catch (error) {
      problem.textContent = error.message;
    }
  });
  const told = links.length
    ? "Give each player its link. They are shown this once: copy them before you go on."
    : "No person plays in it.";
  const heading = element("h2", { textContent: "The game is made", tabIndex: -1 });
  place.replaceChildren(
    element("summary", { textContent: `Game ${game}` }),
    heading,
    element("p", { textContent: told }),
    element("ul", { className: "links" }, ...links.map(line)),
    element("ul", {}, ...Object.entries(leaders).map(led), ...notes.map((note) => item(note))),
    play,
    element("a", { href: page, textContent: "Look at it" }),
    problem,
  );
  heading.focus();
}

const led = ([power, name]) => item(`${name} leads ${power}.`);

function line({ power, address }) {
  const whole = location.origin + address;
  const link = element("input", { readOnly: true, value: whole, onfocus: ({ target }) => target.select() });
  link.setAttribute("aria-label", `Link for ${power}`);
  const copy = button("Copy", async ({ target }) => {
    await navigator.clipboard.writeText(whole);
    target.textContent = "Copied";
  });
  return element("li", {}, element("b", { textContent: `${power} ` }), link, copy);
}
