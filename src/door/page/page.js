// The page of a server: opens the view that the address names, and refreshes it. It is a client of the API, without rights of its own.
import { enter, leave, server } from "./api.js";
import { at, button, hush, say, show, word } from "./elements.js";
import { gallery } from "./gallery.js";
import { jobs } from "./jobs.js";
import { now } from "./now.js";
import { puzzle } from "./puzzle.js";
import { series } from "./series.js";
import { stock } from "./stock.js";

const VIEWS = { now, stock, gallery, puzzle, jobs, series };
const EVERY = 10_000;
const main = document.querySelector("main");
let [parts, closing, isReading] = [[], new AbortController(), false];

/** Opens the view of the address. */
function open() {
  // Calls of the view that closes fail without a message.
  closing.abort(new Error());
  closing = new AbortController();
  const [name, query] = location.hash.slice(1).split("?");
  const view = Object.hasOwn(VIEWS, name) ? name : "now";
  for (const each of document.querySelectorAll("nav a")) each.ariaCurrent = each.hash === `#${view}` ? "page" : null;
  hush();
  document.title = `${view} · puzzled`;
  main.className = view;
  parts = VIEWS[view](new URLSearchParams(query), closing.signal);
  main.replaceChildren(...parts.map(({ section }) => section));
  refresh(parts);
  // The link that a person followed from a view may have gone with it.
  if (document.activeElement === document.body) main.focus();
}

/** Refreshes parts of the view. A failure outside a part shows below it. */
async function refresh(these) {
  isReading = true;
  try {
    await Promise.all(these.map(part => part.refresh()));
  } catch (error) {
    if (error.message) say("fault", error.message);
  }
  isReading = false;
  showCaller();
}

/** Reads who calls, and opens the view. */
async function start(tried) {
  isReading = true;
  try {
    await enter({ tried });
    say("fault", "");
    at("login").hidden = true;
    open();
  } catch (error) {
    isReading = false;
    // The listener below has asked for a token.
    if (error.reason !== "UNAUTHENTICATED") say("fault", error.message);
  }
  showCaller();
}

function showCaller() {
  const { name, role } = server.caller ?? {};
  const forget = () => button("Forget the token", () => { leave(); location.reload(); });
  show(at("caller"), [name, role, "token" in sessionStorage], () => [name && `${name}, ${word(role)} `, sessionStorage.token && forget()]);
}

addEventListener("unauthenticated", ({ detail }) => {
  const hadToken = sessionStorage.token || at("token").value;
  // Of calls that are refused together, the first one has asked.
  if (!at("login").hidden && !hadToken) return;
  closing.abort(new Error());
  leave();
  parts = [];
  main.replaceChildren();
  showCaller();
  say("refused", hadToken ? detail : "");
  at("login").hidden = false;
  at("token").value = "";
  at("token").focus();
});
at("login").onsubmit = event => {
  event.preventDefault();
  const token = at("token").value.trim();
  // No header carries other characters.
  if (/^[!-~]+$/.test(token)) start(token);
  else say("refused", "The token has a character that no token has. Paste it as `puzzled token new` printed it.");
};
const tick = () => {
  if (document.hidden || isReading || !at("login").hidden) return;
  if (server.version) refresh(parts.filter(({ isStill }) => !isStill));
  else start();
};
addEventListener("hashchange", () => { if (server.version && at("login").hidden) open(); });
document.addEventListener("visibilitychange", tick);
setInterval(tick, EVERY);
start();
