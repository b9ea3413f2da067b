// The stock: how many puzzles each level holds, the ratings of each variant, and the targets.
import { seconds, server } from "./api.js";
import { LEVELS, action, bar, count, element, hint, infoOf, isPlain, joined, link, moment, part, row, span, spec, table, word } from "./elements.js";

const BINS = 24;

export const stock = () => [part("Stock", "GetStock", render)];

function render({ total, held, levels = [], shelves = [], targets = [] }, refresh) {
  const known = {};
  const of = ({ kind, variant }) => known[`${kind} ${variant}`] ??= { kind, variant, counts: {}, targets: {}, shelves: [] };
  for (const one of levels) of(one).counts[one.level] = one.count;
  for (const one of shelves) of(one).shelves.push(one);
  for (const outlook of targets.filter(({ target }) => isPlain(target))) (of(outlook.target).targets[outlook.target.level] ??= []).push(outlook);
  const rows = inOrder(Object.values(known));
  const shown = LEVELS.filter(level => rows.some(({ counts, targets }) => counts[level] || targets[level]));
  const body = rows.map(one => row(
    `${word(one.kind)} ${one.variant}`, ...shown.map(level => levelCell(one, level)), histogram(one)));
  const sum = element("p.state", count(total, "puzzle"), held && `, and ${held} that a series or an audience holds`);
  const none = hint("The stock is empty. Queue a job: ", "puzzled enqueue --level hard --count 50");
  return [sum, body.length ? table("Puzzles in stock", ["variant", ...shown.map(word), "ratings"], body) : none, targetList(targets, refresh)];
}

/** Rows in the order in which the server lists its kinds and variants, and boards of any size in the order of their numbers. */
function inOrder(rows) {
  const known = server.kinds.flatMap(({ variants = [] }) => variants);
  const place = one => known.indexOf(infoOf(one));
  return rows.sort((one, other) => place(one) - place(other) || one.variant.localeCompare(other.variant, "en", { numeric: true }));
}

function levelCell({ kind, variant, counts, targets }, level) {
  const { [level]: amount = 0 } = counts;
  const [outlook, other] = targets[level] ?? [];
  if (!amount && !outlook) return "";
  const name = spec({ kind, variant, level });
  const open = link(`#gallery?${new URLSearchParams({ kind, variant, level })}`, Number(amount).toLocaleString("en"));
  open.dataset.key = name;
  open.ariaLabel = `${name}: ${count(amount, "puzzle")}`;
  const { have = 0, target, state } = outlook ?? {};
  const wanted = outlook && !other && bar(Number(have), target.target, `${name}: ${have} of ${target.target}`);
  return element("div.level", open, wanted, wanted && state !== "TARGET_STATE_STOCKED" && element("small", word(state)));
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
  const bars = bins.map(bin => element("i", { style: `height: ${bin && Math.max(100 * bin / most, 6)}%` }));
  const range = joined(new Set([low, high].map(rating => rating.toFixed(1))), "–");
  return element("div.ratings", element("div.bars", { role: "img", ariaLabel: `ratings ${range}` }, bars), element("small", range));
}

function targetList(targets, refresh) {
  if (!targets.length) return hint("No stock target keeps the stock filled. Declare some: ", "puzzled target apply targets.toml");
  const refill = ({ id }) => action("Refill now", id, "Refill", async send => {
    const { job } = await send({ id });
    await refresh();
    return job ? `${job.id} fills ${id}.` : `${id} is full.`;
  });
  return table("Stock targets", ["target", "puzzles", "have", "state", "action"], targets.map(outlook => row(
    outlook.target.id, spec(outlook.target), `${outlook.have ?? 0} of ${outlook.target.target}`, outlookInWords(outlook), refill(outlook.target))));
}

function outlookInWords({ state, dueTime, timeToFull, refusal, unreachable, lastError, missing }) {
  const why = refusal || unreachable && `${count(unreachable.tries, "try", "tries")} in ${span(seconds(unreachable.workTime))} made none; a puzzle takes more than `
    + span(seconds(unreachable.minTimePerPuzzle));
  const more = joined([
    dueTime && `from ${moment(dueTime)}`,
    Number(missing) && timeToFull && `full in ${span(seconds(timeToFull))}`,
    why || state !== "TARGET_STATE_STOCKED" && lastError,
  ], "; ");
  return [element("span", /UNREACHABLE|RESTING/.test(state) && { className: "bad" }, word(state)), more && `: ${more}`];
}
