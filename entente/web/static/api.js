// What the page asks its server. The link's token stands behind the `#` at the first visit, and is gone
// after it.
export const base = location.pathname.replace(/\/$/, "");
export const LOST = "The server does not answer. The page goes on by itself when it does, and keeps what is drafted here.";
let csrf = "";

async function ask(path, options = {}) {
  const answer = await fetch(base + path, options).catch(() => {
    throw new Error(LOST);
  });
  const body = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw Object.assign(new Error(body.error), { setting: body.setting });
  return body;
}

export const get = (path) => ask(path);

export function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

export async function enter() {
  const token = location.hash.slice(1);
  if (token.length > 30) {
    await post("/enter", { token });
    history.replaceState(null, "", base);
  }
  const me = await get("/me");
  csrf = me.csrf;
  return me;
}
