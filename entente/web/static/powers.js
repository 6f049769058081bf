// How powers are told apart: by colour, and by letters and patterns for whoever sees no colours.
import { make } from "./svg.js";

// Of land, in tiles of 16 by 16, and of lines, as dashes.
const TILES = ["M0 16 L16 0", "M8 5 v6 M5 8 h6", "M0 8 h16", "M0 0 L16 16", "M8 0 v16", "M7 7 h2 v2 h-2 z",
  "M0 11 L8 4 L16 11"];
const DASHES = ["none", "10 4", "3 3", "12 3 3 3", "1 5", "18 4", "6 3 1 3"];
let powers = [];

export const colour = (power) => `var(--${power}, #bbb)`;

export const patternOf = (power) => `url(#land-${power})`;

export const dashOf = (power) => DASHES[powers.indexOf(power) % DASHES.length];

// The first letter, or as many as no other power begins with.
export function letterOf(power) {
  const others = powers.filter((other) => other !== power);
  let length = 1;
  const isShared = () => others.some((other) => other.startsWith(power.slice(0, length)));
  while (length < power.length && isShared()) length += 1;
  return power.slice(0, length);
}

export function meet(names, defs) {
  powers = names;
  const size = { width: 16, height: 16, patternUnits: "userSpaceOnUse" };
  for (const [index, power] of powers.entries()) {
    const tile = make("pattern", { id: `land-${power}`, ...size }, defs);
    make("path", { class: "tile", d: TILES[index % TILES.length] }, tile);
  }
}

export const known = () => powers;
