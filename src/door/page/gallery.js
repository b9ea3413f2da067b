// Pictures of stored puzzles: those of a level, or those of a job.
import { call, may } from "./api.js";
import { action, count, element, lack, link, pictureOf, span, spec, waits, withdraw, word } from "./elements.js";

const PAGE = 12;

export function gallery(query, signal) {
  const job = query.get("job");
  const wanted = Object.fromEntries(["kind", "variant", "level"].map(name => [name, query.get(name) ?? undefined]));
  const [list, more] = [element("ul", { className: "pictures" }), element("div", { className: "row" })];
  const title = job ? `Puzzles of ${job}` : `Puzzles in stock: ${spec(wanted)}`;
  const section = element("section", { ariaLabel: title }, element("h2", {}, title), element("p", { className: "hint" }, "Oldest first. Withdrawn puzzles are left out."), list, more);
  let token = "";
  const load = async () => {
    const request = { ...(job ? { jobId: job } : wanted), pageSize: PAGE, pageToken: token };
    const { puzzles = [], nextPageToken } = await call("ListPuzzles", request, { signal, waits });
    token = nextPageToken;
    const made = puzzles.map(puzzle => shown(puzzle, signal));
    list.append(...made.map(([item]) => item));
    const buttons = [token && action("More", "", "ListPuzzles", load), list.children.length && element("button", { type: "button", onclick: () => print() }, "Print")];
    more.replaceChildren(...buttons.filter(button => button));
    if (!list.children.length) more.append("There is no such puzzle.");
    await Promise.all(made.map(([, drawn]) => drawn));
    return `${count(list.children.length, "puzzle")} shown.`;
  };
  const refresh = async () => {
    if (list.children.length) return;
    if (may("ListPuzzles")) await load();
    else more.replaceChildren(lack("ListPuzzles"));
  };
  return [{ section, refresh, isStill: true }];
}

/** An item of the list, and the promise of its picture. */
function shown(puzzle, signal) {
  const { id, held } = puzzle;
  const picture = element("img", { alt: `${id}, ${spec(puzzle)}` });
  const [marks, item] = [element("span", {}, held ? "held" : ""), element("li")];
  const drawn = pictureOf({ id }, { signal, waits }).then(
    address => { picture.src = address; }, error => { marks.textContent = error.message; });
  const button = withdraw(id, () => {
    marks.textContent = "withdrawn";
    button.remove();
  });
  item.append(link(`#puzzle?id=${id}`, picture, element("b", {}, id)), element("span", {}, ratingOf(puzzle)), marks, button);
  return [item, drawn];
}

/** Level, rating, technique, and predicted minutes of a puzzle. */
export const ratingOf = ({ level, rating = 0, technique, predictedSeconds }) => [
  `${word(level)} ${rating.toFixed(1)}`, technique, predictedSeconds && `about ${span(60 * Math.max(Math.round(predictedSeconds / 60), 1))}`,
].filter(text => text).join(", ");
