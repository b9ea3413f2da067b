// The stock: how many puzzles each level holds, the ratings of each variant, and the targets.
import { call, seconds } from "./api.js";
import { LEVELS, action, bar, cell, count, element, infoOf, isPlain, link, moment, number, part, row, span, spec, table, word } from "./elements.js";

const BINS = 24;

export function stock() {
  return [part("Stock", "GetStock", waits => call("GetStock", {}, { waits }), render)];
}

function render({ total, held, levels = [], shelves = [], targets = [] }, refresh) {
  const rows = new Map();
  const of = ({ kind, variant }) => {
    const key = `${kind} ${variant}`;
    if (!rows.has(key)) rows.set(key, { kind, variant, counts: {}, targets: {}, shelves: [] });
    return rows.get(key);
  };
  for (const one of levels) of(one).counts[one.level] = one.count;
  for (const one of shelves) of(one).shelves.push(one);
  for (const outlook of targets.filter(({ target }) => isPlain(target))) (of(outlook.target).targets[outlook.target.level] ??= []).push(outlook);
  const shown = LEVELS.filter(level => [...rows.values()].some(({ counts, targets }) => counts[level] || targets[level]));
  const body = [...rows.values()].map(one => row(
    `${word(one.kind)} ${one.variant}`, ...shown.map(level => levelCell(one, level)), cell(histogram(one))));
  const sum = element("p", { className: "state" }, count(total, "puzzle"), held && `, and ${held} that a series or an audience holds`);
  const none = element("p", { className: "hint" }, "The stock is empty. Queue a job: ", element("code", {}, "puzzled enqueue --level hard --count 50"));
  return [sum, body.length ? table("Puzzles in stock", ["variant", ...shown.map(word), "ratings"], body) : none, targetList(targets, refresh)];
}

function levelCell({ kind, variant, counts, targets }, level) {
  const { [level]: amount = 0 } = counts;
  const [outlook, other] = targets[level] ?? [];
  if (!amount && !outlook) return number("");
  const name = spec({ kind, variant, level });
  const open = link(`#gallery?${new URLSearchParams({ kind, variant, level })}`, Number(amount).toLocaleString("en"));
  open.dataset.key = name;
  open.ariaLabel = `${name}: ${count(amount, "puzzle")}`;
  const { have = 0, target, state } = outlook ?? {};
  const wanted = outlook && !other && bar(Number(have), target.target, `${name}: ${have} of ${target.target}`);
  return number(element("div", { className: "level" }, open, wanted, wanted && state !== "TARGET_STATE_STOCKED" && element("small", {}, word(state))));
}

/** The puzzles of a variant by their rating, as a row of bars. */
function histogram({ kind, variant, shelves }) {
  if (!shelves.length) return "";
  const ratings = shelves.map(({ rating = 0 }) => rating);
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const { levels: [{ minRating = 0 } = {}], maxGeneratedRating = high } = infoOf({ kind, variant });
  const bins = Array(BINS).fill(0);
  for (const { rating = 0, count } of shelves) {
    const at = Math.floor((rating - minRating) / (Math.max(maxGeneratedRating, high) - minRating || 1) * BINS);
    bins[Math.min(Math.max(at, 0), BINS - 1)] += Number(count);
  }
  const most = Math.max(...bins);
  const bars = bins.map(bin => {
    const made = element("i");
    made.style.height = `${bin && Math.max(100 * bin / most, 6)}%`;
    return made;
  });
  const range = `${low.toFixed(1)}–${high.toFixed(1)}`;
  return element("div", { className: "ratings" }, element("div", { className: "bars", role: "img", ariaLabel: `ratings from ${range}` }, bars), element("small", {}, range));
}

function targetList(targets, refresh) {
  const intro = "No stock target keeps the stock filled. Declare some: ";
  if (!targets.length) return element("p", { className: "hint" }, intro, element("code", {}, "puzzled target apply targets.toml"));
  const refill = ({ id }) => action("Refill now", id, "Refill", async () => {
    const { job } = await call("Refill", { id });
    await refresh();
    return job ? `${job.id} fills ${id}.` : `${id} is full.`;
  });
  return table("Stock targets", ["target", "puzzles", "have", "state", "action"], targets.map(outlook => row(
    outlook.target.id, cell(spec(outlook.target)),
    number(`${outlook.have ?? 0} of ${outlook.target.target}`), cell(...outlookInWords(outlook)), cell(refill(outlook.target)))));
}

function outlookInWords({ state, dueTime, timeToFull, refusal, unreachable, lastError, missing }) {
  const why = refusal || unreachable && `${count(unreachable.tries, "try", "tries")} in ${span(seconds(unreachable.workTime))} made none; a puzzle takes more than `
    + span(seconds(unreachable.minTimePerPuzzle));
  const more = [
    dueTime && `from ${moment(dueTime)}`,
    Number(missing) && timeToFull && `full in ${span(seconds(timeToFull))}`,
    why || state !== "TARGET_STATE_STOCKED" && lastError,
  ].filter(text => text);
  return [element("span", { className: /UNREACHABLE|RESTING/.test(state) ? "bad" : "" }, word(state)), more.length ? `: ${more.join("; ")}` : ""];
}
