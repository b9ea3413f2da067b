// Elements, words, and dialogs. Text enters the page as text, and never as HTML.
import { call, may, roleFor, server } from "./api.js";

export const at = id => document.getElementById(id);

/** An element with properties or attributes, and those children that are not null, false, or empty. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.flat().filter(child => child || child === 0));
  return made;
}
export const link = (address, ...children) => element("a", { href: address }, ...children);
export const cell = (...children) => element("td", {}, ...children);
export const number = value => element("td", { className: "number" }, value);
export const row = (first, ...cells) => element("tr", {}, element("th", { scope: "row" }, first), ...cells);
export const bar = (value, max, label) => element("progress", { value, max: max || 1, "aria-label": label });

/** A table with a header row, in a box that scrolls if the window is narrow. */
export function table(label, names, rows) {
  const head = element("tr", {}, names.map(name => element("th", { scope: "col" }, name)));
  const made = element("table", {}, element("caption", {}, label), element("thead", {}, head), element("tbody", {}, rows));
  return element("div", { className: "scroll", tabIndex: 0, role: "group", ariaLabel: label }, made);
}
/** A list of names and values. Values that are empty are left out. */
export const facts = (...pairs) => element("dl", {}, pairs.filter(([, value]) => value).map(([name, ...values]) =>
  element("div", {}, element("dt", {}, name), element("dd", {}, ...values))));
/** What the role of the caller lacks for a method. */
export const lack = method => element("p", { className: "lack" }, `${method} needs the role ${roleFor(method)}; ${server.caller.name} has the role ${word(server.caller.role)}.`);

/** A button that calls a method, and says what came of it. A role that may not call the method sees what it lacks. */
export function action(name, subject, method, run) {
  if (!may(method)) return element("span", { className: "lack" }, `${name}: needs ${roleFor(method)}`);
  const made = element("button", { type: "button", "data-key": `${name} ${subject}`, ariaLabel: subject ? `${name} ${subject}` : name }, name);
  made.onclick = async () => {
    if (made.ariaBusy) return;
    made.ariaBusy = "true";
    at("fault").textContent = "";
    try {
      at("news").textContent = await run() ?? "";
    } catch (error) {
      at("fault").textContent = error.message;
    }
    made.ariaBusy = null;
  };
  return made;
}

/** Replaces what an element shows if `data` differs from the last time. The focus stays on the control with the same key. */
export function show(target, data, children) {
  const memo = JSON.stringify(data);
  if (target.memo === memo) return;
  const key = target.contains(document.activeElement) && document.activeElement.dataset.key;
  target.memo = memo;
  target.replaceChildren(...[children()].flat().filter(child => child));
  if (key) focusOn(key, target);
}
/** Moves the focus to the control with a key or, if it is gone, to the first one of `target`. */
function focusOn(key, target) {
  const keyed = [...document.querySelectorAll("[data-key]")];
  (keyed.find(one => one.dataset.key === key) ?? keyed.find(one => target?.contains(one)))?.focus();
}

/** A part of a view, which `read` fills. If a later read fails, the part says when its numbers were read. */
export function part(title, method, read, render) {
  const [fault, body] = [element("p", { className: "fault", role: "alert" }), element("div")];
  const section = element("section", { ariaLabel: title }, element("h2", {}, title), fault, body);
  let last, reading = Promise.resolve();
  const once = async () => {
    if (!may(method)) return show(body, "lack", () => lack(method));
    try {
      const answer = await read(text => { fault.textContent = text; });
      // Each minute, times are written again.
      show(body, [answer, Math.floor(Date.now() / 60_000)], () => render(answer, refresh));
      last = new Date();
      fault.textContent = "";
    } catch (error) {
      if (error.name !== "AbortError") {
        fault.textContent = `${error.message} ${last ? `These numbers are of ${clock(last)}.` : "Nothing was read yet."}`;
      }
    }
    section.classList.toggle("stale", fault.textContent !== "");
  };
  const refresh = () => reading = reading.then(once);
  return { section, refresh };
}

/** Asks for a reason and for consent, twice if there is a warning. Undefined if the person declines. */
export function ask(question, verb, warning) {
  const [key, dialog] = [document.activeElement?.dataset.key, at("ask")];
  const input = element("input", { id: "answer", maxLength: 500, required: Boolean(warning), autocomplete: "off" });
  const [go, stay] = [element("button", {}, verb), element("button", { type: "button", onclick: () => dialog.close() }, "Keep as it is")];
  const asked = element("p", { id: "question" }, question);
  const label = element("label", { htmlFor: "answer" }, "Reason", input);
  const form = element("form", {}, asked, label, element("div", { className: "row" }, go, stay));
  dialog.replaceChildren(form);
  dialog.showModal();
  return new Promise(resolve => {
    let given;
    form.onsubmit = event => {
      event.preventDefault();
      if (warning && !label.hidden) {
        [asked.textContent, go.textContent, label.hidden] = [warning, `${verb} for good`, true];
        stay.focus();
      } else {
        given = input.value;
        dialog.close();
      }
    };
    dialog.onclose = () => {
      if (key) focusOn(key);
      resolve(given);
    };
  });
}

/** A button that withdraws a puzzle, after two questions. */
export const withdraw = (id, then) => action("Withdraw", id, "WithdrawPuzzle", async () => {
  const warning = `${id} is never delivered again, nor is any puzzle with its solution. This cannot be undone.`;
  const reason = await ask(`Withdraw ${id}?`, "Withdraw", warning);
  if (reason === undefined) return;
  await call("WithdrawPuzzle", { id, reason });
  await then();
  return `${id} is withdrawn.`;
});
/** A value of an enum in words: `star battle` for `KIND_STAR_BATTLE`. */
export const word = (name = "") => name.replace(/^([A-Z]+_STATE|PROCESS_ROLE|[A-Z]+)_/, "").replaceAll("_", " ").toLowerCase();
export const LEVELS = ["EASY", "MEDIUM", "HARD", "EXPERT", "EVIL"].map(name => `LEVEL_${name}`);

/** What the server makes of a variant. A board of any size, such as a Kakuro, has the levels and styles of `WxH`. */
export function infoOf({ kind, variant }) {
  const { variants = [] } = server.kinds.find(known => known.kind === kind) ?? {};
  return variants.find(({ name }) => name === variant) ?? variants.find(({ name }) => name === "WxH") ?? { levels: [] };
}

/** Whether a spec is a level in its style. */
export function isPlain(spec) {
  const { level, minRating, maxRating, technique, minGivens, maxGivens, symmetry = "SYMMETRY_NONE" } = spec;
  if (!level || (minRating ?? maxRating ?? technique) !== undefined) return false;
  const { style = {} } = infoOf(spec).levels.find(known => known.level === level) ?? {};
  const { minGivensMade = 0, maxGivensMade = 0 } = style;
  const isMade = minGivens === undefined || minGivens === minGivensMade && maxGivens === maxGivensMade;
  return isMade && symmetry === (style.symmetry ?? "SYMMETRY_NONE");
}

/** A kind, variant, and level, with what a spec asks for besides. */
export function spec(asked) {
  const { kind, variant, level, minRating, maxRating, technique, minGivens, maxGivens, symmetry } = asked;
  if (isPlain(asked)) return `${word(kind)} ${variant} ${word(level)}`;
  const range = (min, max, name) => (min ?? max) === undefined ? "" : `${name} ${min ?? ""}–${max ?? ""}`;
  const more = [range(minRating, maxRating, "rated"), technique, range(minGivens, maxGivens, "givens"), word(symmetry)];
  return [word(kind), variant, word(level), ...more.filter(text => text && text !== "none")].filter(text => text).join(" ");
}

export const clock = date => date.toLocaleTimeString("en-GB");
/** A time in words. Today has no date. */
export function moment(text) {
  const date = new Date(text);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? clock(date) : date.toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}
/** A time span in words, in its largest two units. */
export function span(seconds) {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const [size, name, small, part] = [[86400, "d", 3600, "h"], [3600, "h", 60, "min"], [60, "min", 1, "s"]].find(([size]) => seconds >= size);
  const rest = Math.floor(seconds % size / small);
  return `${Math.floor(seconds / size)} ${name}` + (rest ? ` ${rest} ${part}` : "");
}
export const count = (amount, one, many = `${one}s`) => `${Number(amount ?? 0).toLocaleString("en")} ${Number(amount) === 1 ? one : many}`;

/** Says below the view that a call waits. */
export const waits = text => { at("fault").textContent = text; };
/** The picture of a puzzle as the address of an image, which runs no script. */
export async function pictureOf(puzzle, options) {
  const { picture, mediaType } = await call("RenderPuzzle", { ...puzzle, format: "PICTURE_FORMAT_SVG" }, options);
  return `data:${mediaType};base64,${picture}`;
}
