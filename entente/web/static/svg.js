// Elements of a drawing, made.
const NS = "http://www.w3.org/2000/svg";

export function make(name, attributes, parent, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}
