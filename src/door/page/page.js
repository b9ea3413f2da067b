// The page of a server: opens the view that the address names, and refreshes it. It is a client of the API, without rights of its own.
import { enter, leave, server } from "./api.js";
import { at, element, word } from "./elements.js";
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
  closing.abort();
  closing = new AbortController();
  const [name, query] = location.hash.slice(1).split("?");
  const view = Object.hasOwn(VIEWS, name) ? name : "now";
  for (const each of document.querySelectorAll("nav a")) each.ariaCurrent = each.hash === `#${view}` ? "page" : null;
  for (const id of ["fault", "news"]) at(id).textContent = "";
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
    if (error.name !== "AbortError") at("fault").textContent = error.message;
  }
  isReading = false;
}

/** Reads who calls, and opens the view. */
async function start(token) {
  try {
    await enter(token);
  } catch (error) {
    // The listener below has asked for a token.
    if (error.reason !== "UNAUTHENTICATED") at("fault").textContent = error.message;
    return;
  }
  const { name, role } = server.caller ?? {};
  const forget = element("button", { type: "button", onclick: () => { leave(); location.reload(); } }, "Forget the token");
  at("caller").replaceChildren(name ? `${name}, ${word(role)} ` : "", sessionStorage.token ? forget : "");
  at("fault").textContent = "";
  at("login").hidden = true;
  open();
}

addEventListener("unauthenticated", ({ detail }) => {
  const hadToken = sessionStorage.token || at("token").value;
  // Of calls that are refused together, the first one has asked.
  if (!at("login").hidden && !hadToken) return;
  closing.abort();
  leave();
  parts = [];
  main.replaceChildren();
  at("caller").replaceChildren();
  at("refused").textContent = hadToken ? detail : "";
  at("login").hidden = false;
  at("token").value = "";
  at("token").focus();
});
at("login").onsubmit = event => {
  event.preventDefault();
  start(at("token").value.trim());
};
const tick = () => {
  at("news").textContent = "";
  if (document.hidden || isReading || !at("login").hidden) return;
  if (server.version) refresh(parts.filter(({ isStill }) => !isStill));
  else start();
};
addEventListener("hashchange", () => { if (server.version && at("login").hidden) open(); });
document.addEventListener("visibilitychange", tick);
setInterval(tick, EVERY);
start();
