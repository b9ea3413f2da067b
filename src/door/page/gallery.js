// Pictures of stored puzzles: those of a level, or those of a job.
import { call, may } from "./api.js";
import { action, button, count, element, hint, joined, lack, link, pictureOf, span, spec, withdraw, word } from "./elements.js";

const PAGE = 12;

export function gallery(query, signal) {
  const job = query.get("job");
  const wanted = Object.fromEntries(["kind", "variant", "level"].map(name => [name, query.get(name) ?? undefined]));
  const [pictures, more] = [element("ul.pictures"), element("div.row")];
  const title = job ? `Puzzles of ${job}` : `Puzzles in stock: ${spec(wanted)}`;
  const section = element("section", { ariaLabel: title }, element("h2", title), hint("Oldest first. Withdrawn puzzles are left out."), pictures, more);
  let token = "";
  const load = async () => {
    const request = { ...(job ? { jobId: job } : wanted), pageSize: PAGE, pageToken: token };
    const { puzzles = [], nextPageToken } = await call("ListPuzzles", request, { signal });
    token = nextPageToken;
    pictures.append(...puzzles.map(puzzle => shown(puzzle, signal)));
    more.replaceChildren(token ? action("More", "", "ListPuzzles", load) : "",
      pictures.children.length ? button("Print", () => print()) : "There is no such puzzle.");
    return `${count(pictures.children.length, "puzzle")} shown.`;
  };
  const refresh = async () => {
    if (pictures.children.length) return;
    if (may("ListPuzzles")) await load();
    else more.replaceChildren(lack("ListPuzzles"));
  };
  return [{ section, refresh, isStill: true }];
}

function shown(puzzle, signal) {
  const { id, held } = puzzle;
  const picture = element("img", { alt: `${id}, ${spec(puzzle)}` });
  const [marks, item] = [element("span", held && "held"), element("li")];
  pictureOf({ id }, { signal }).then(address => { picture.src = address; }, error => { marks.textContent = error.message; });
  const button = withdraw(id, () => {
    marks.textContent = "withdrawn";
    button.remove();
  });
  item.append(link(`#puzzle?id=${id}`, picture, element("b", id)), element("span", ratingOf(puzzle)), marks, button);
  return item;
}

/** Level, rating, technique, and predicted minutes of a puzzle. */
export const ratingOf = ({ level, rating = 0, technique, predictedSeconds }) => joined([
  `${word(level)} ${rating.toFixed(1)}`, technique, predictedSeconds && `about ${span(60 * Math.max(Math.round(predictedSeconds / 60), 1))}`], ", ");
