// What this browser knows of the game, in one place. Modules change it and say so with `changed`; whoever
// shows some of it is called again.

export const table = {
  me: null, // as whom the visitor comes: `role`, `game`, `csrf`
  game: "", // the game's id
  view: null, // how the game stands, as the server's `GameView`
  events: [], // all that the stream has told, in its order
  question: null, // what the seat is asked, as the server's `Question`; null while it is asked nothing
  isSending: false, // true while an answer is on its way
  shown: null, // the phase that is looked at
  seen: null, // the board of that phase and what became of its orders, as the server's `BoardView`
};

const shows = [];

export function watch(show) {
  shows.push(show);
}

export function changed() {
  if (table.view) for (const show of shows) show();
}

// Who wrote to several, or reads everybody's, has what was said once for each of them: one of these is enough.
const isFirst = ({ recipient, also_to: others }) =>
  recipient === table.me.role || others.every((other) => recipient < other);

export const messages = () => table.events.filter(({ kind, data }) => kind === "message" && isFirst(data));

export const phases = () => [...new Set([...table.view.phases, table.view.phase].filter(Boolean))];
