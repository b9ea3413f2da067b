// Elements, words, and dialogs. Text enters the page as text, and never as HTML.
import { call, may, roleFor, server } from "./api.js";

export const at = id => document.getElementById(id);
/** Says something below the view, in the line `fault` or `news`, until the next action. */
export const say = (line, text) => { at(line).textContent = text; };
export const hush = () => ["fault", "news"].forEach(line => say(line, ""));

/** An element such as `p`, or `p.hint` with a class. Objects are its properties and attributes, all else its children, without empty ones. */
export function element(name, ...content) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  made.classList.add(...classes);
  for (const one of content.flat().filter(one => one || one === 0)) {
    if (one.constructor !== Object) made.append(one);
    else for (const [key, value] of Object.entries(one)) key in made ? made[key] = value : made.setAttribute(key, value);
  }
  return made;
}
export const link = (address, ...children) => element("a", { href: address }, ...children);
export const button = (name, onclick, properties = {}) => element("button", { type: "button", onclick, ...properties }, name);
export const row = (first, ...cells) => element("tr", element("th", { scope: "row" }, first), cells.map(one => element("td", one)));
export const bar = (value, max, label) => element("progress", { value, max: max || 1, "aria-label": label });
/** A line that says what there is not, and the command that changes that. */
export const hint = (text, command) => element("p.hint", text, command && element("code", command));
/** A control with its label. */
export const labelled = (label, control) => element("label", label, control);
/** A choice among values of an enum and, if it has a name, any of them. */
export const choice = (id, label, values, chosen, any) => labelled(label, element("select", { id, name: id },
  any && element("option", { value: "" }, any), values.map(value => element("option", { value, selected: value === chosen }, word(value)))));

/** A table with a header row, in a box that scrolls if the window is narrow. */
export function table(label, names, rows) {
  const head = element("tr", names.map(name => element("th", { scope: "col" }, name)));
  const made = element("table", element("caption", label), element("thead", head), element("tbody", rows));
  return element("div.scroll", { tabIndex: 0, role: "group", ariaLabel: label }, made);
}
/** A list of names and values. Values that are empty are left out. */
export const facts = (...pairs) => element("dl", pairs.filter(([, value]) => value).map(([name, ...values]) =>
  element("div", element("dt", name), element("dd", ...values))));
/** What the role of the caller lacks for a method. */
export const lack = method => element("p.lack", `${method} needs the role ${roleFor(method)}; ${server.caller.name} has the role ${word(server.caller.role)}.`);

/** A button that sends messages to a method, and says what came of it. A role that may not call the method sees what it lacks. */
export function action(name, subject, method, run) {
  if (!may(method)) return element("span.lack", `${name}: needs ${roleFor(method)}`);
  const onclick = async ({ target }) => {
    if (target.ariaBusy) return;
    target.ariaBusy = "true";
    hush();
    try {
      say("news", await run(message => call(method, message)) ?? "");
    } catch (error) {
      say("fault", error.message);
    }
    target.ariaBusy = null;
  };
  return button(name, onclick, { "data-key": `${name} ${subject}`, ariaLabel: `${name} ${subject}`.trim() });
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

/** A part of a view, which shows the answer of a method. If a later call fails, the part says when its numbers were read. */
export function part(title, method, render, read = waits => call(method, {}, { waits })) {
  const [fault, body] = [element("p.fault", { role: "alert" }), element("div")];
  const section = element("section", { ariaLabel: title }, element("h2", title), fault, body);
  let last, reading = Promise.resolve();
  const once = async () => {
    try {
      const answer = may(method) && await read(text => { fault.textContent = text; });
      // Each minute, times are written again.
      show(body, [answer, server.caller, Math.floor(Date.now() / 60_000)], () => answer ? render(answer, refresh) : lack(method));
      last = new Date();
      fault.textContent = "";
    } catch (error) {
      fault.textContent = `${error.message} ${last ? `These numbers are of ${clock(last)}.` : "Nothing was read yet."}`;
    }
    section.classList.toggle("stale", fault.textContent !== "");
  };
  const refresh = () => reading = reading.then(once);
  return { section, refresh };
}

/** A part that lists the entries in a field of the answers: those of some pages, and more on demand. */
export function list(title, method, field, request, pages, render) {
  const read = async waits => {
    const entries = [];
    let [left, pageToken] = [pages, ""];
    do {
      const answer = await call(method, { ...request, pageToken }, { waits });
      entries.push(...answer[field] ?? []);
      pageToken = answer.nextPageToken;
    } while (pageToken && --left > 0);
    return { entries, isCut: Boolean(pageToken) };
  };
  return part(title, method, ({ entries, isCut }, refresh) => {
    const more = () => action("More", field, method, () => { pages += 1; return refresh(); });
    return [render(entries, refresh), isCut && element("p.hint", `The first ${entries.length} are shown. `, more())];
  }, read);
}

/** Asks for a reason and for consent, twice if there is a warning. Undefined if the person declines. */
export function ask(question, verb, warning) {
  const [key, dialog, asked] = [document.activeElement?.dataset.key, at("ask"), element("p", { id: "question" }, question)];
  const input = element("input", { maxLength: 500, required: Boolean(warning), autocomplete: "off" });
  return new Promise(resolve => {
    // Does not wait for `close`, which comes after the next key and perhaps finds the next question open.
    const end = reason => {
      dialog.onclose = null;
      dialog.close();
      focusOn(key);
      resolve(reason);
    };
    const [go, stay, label] = [element("button", verb), button("Keep as it is", () => end()), labelled("Reason", input)];
    const onsubmit = event => {
      event.preventDefault();
      if (!warning || label.hidden) return end(input.value);
      [asked.textContent, go.textContent, label.hidden] = [warning, `${verb} for good`, true];
      stay.focus();
    };
    dialog.replaceChildren(element("form", { onsubmit }, asked, label, element("div.row", go, stay)));
    dialog.showModal();
    [dialog.oncancel, dialog.onclose] = [() => end(), () => dialog.open || end()];
  });
}

/** A button that withdraws a puzzle, after two questions. */
export const withdraw = (id, then) => action("Withdraw", id, "WithdrawPuzzle", async send => {
  const warning = `${id} is never delivered again, nor is any puzzle with its solution. This cannot be undone.`;
  const reason = await ask(`Withdraw ${id}?`, "Withdraw", warning);
  if (reason === undefined) return;
  await send({ id, reason });
  await then();
  return `${id} is withdrawn.`;
});
/** A value of an enum in words: `star battle` for `KIND_STAR_BATTLE`. */
export const word = (name = "") => name.replace(/^([A-Z]+_STATE|PROCESS_ROLE|[A-Z]+)_/, "").replaceAll("_", " ").toLowerCase();
/** The texts that are not empty, as one. */
export const joined = (texts, by) => [...texts].filter(text => text).join(by);
export const kinds = () => server.kinds.map(({ kind }) => kind);
export const LEVELS = ["EASY", "MEDIUM", "HARD", "EXPERT", "EVIL"].map(name => `LEVEL_${name}`);

/** What the server makes of a variant: its own entry, or the one for all variants with or without a layout after a colon. */
export function infoOf({ kind, variant = "" }) {
  const { variants = [] } = server.kinds.find(known => known.kind === kind) ?? {};
  const hasLayout = name => name.includes(":");
  return variants.find(({ name }) => name === variant) ?? variants.find(({ name }) => hasLayout(name) === hasLayout(variant)) ?? { levels: [] };
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
  const range = (name, min, max) => (min ?? max) !== undefined && `${name} ${min ?? ""}–${max ?? ""}`;
  const more = [range("rated", minRating, maxRating), technique, range("givens", minGivens, maxGivens), symmetry !== "SYMMETRY_NONE" && word(symmetry)];
  return joined([word(kind), variant, word(level), ...(isPlain(asked) ? [] : more)], " ");
}

export const clock = date => date.toLocaleTimeString("en-GB");
/** A time in words. Today has no date. */
export function moment(text) {
  const date = new Date(text);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? clock(date) : date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
/** A time span in words, in its largest two units. */
export function span(seconds) {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const [size, name, small, part] = [[86400, "d", 3600, "h"], [3600, "h", 60, "min"], [60, "min", 1, "s"]].find(([size]) => seconds >= size);
  const rest = Math.floor(seconds % size / small);
  return `${Math.floor(seconds / size)} ${name}` + (rest ? ` ${rest} ${part}` : "");
}
export const count = (amount, one, many = `${one}s`) => `${Number(amount ?? 0).toLocaleString("en")} ${Number(amount) === 1 ? one : many}`;

/** The picture of a puzzle as the address of an image, which runs no script. */
export async function pictureOf(puzzle, options) {
  const { picture, mediaType } = await call("RenderPuzzle", { ...puzzle, format: "PICTURE_FORMAT_SVG" }, options);
  return `data:${mediaType};base64,${picture}`;
}
