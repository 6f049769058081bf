// Elements of the page, found and made.

export const $ = (id) => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export const item = (text, kind = "") => element("li", { textContent: text, className: kind });

export const button = (text, act) => element("button", { type: "button", textContent: text, onclick: act });

export function withRemove(text, remove) {
  const line = item(text);
  line.append(button("Remove", remove));
  return line;
}

// Puts these in place of what there was. What is the same stays, or else a click would be lost that has begun on it;
// a button that is there again keeps the keyboard.
export function fill(parent, children) {
  const before = [...parent.children];
  const isSame = (each, place) => each.isEqualNode(children[place]);
  if (before.length === children.length && before.every(isSame)) return;
  const held = parent.contains(document.activeElement) ? document.activeElement.textContent : null;
  parent.replaceChildren(...children);
  if (held === null) return;
  [...parent.querySelectorAll("button")].find((each) => each.textContent === held)?.focus();
}

// What went wrong, in place of what was done; an empty text takes it away.
export function said(text) {
  $("said").textContent = text;
  if (text) $("done").textContent = "";
}

// What was done: it stays until something else is, or goes wrong.
export function done(text) {
  said("");
  $("done").textContent = text;
}
