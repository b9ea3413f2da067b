// A stored puzzle or a pasted one: its picture, its rating, and its solve, step by step.
import { call, may, server } from "./api.js";
import { at, button, choice, count, element, facts, kinds, labelled, link, pictureOf, say, withdraw, word } from "./elements.js";
import { ratingOf } from "./gallery.js";

export function puzzle(query, signal) {
  const [id, text, kind] = ["id", "text", "kind"].map(name => query.get(name));
  const section = element("section", { ariaLabel: "Puzzle" }, element("h2", id ?? "Puzzle"), search(id ?? text ?? "", kind));
  const refresh = () => id || text ? open(section, id ? { id } : { kind, text }, signal) : undefined;
  return [{ section, refresh, isStill: true }];
}

function search(given, kind) {
  const input = element("textarea", { rows: given.includes("\n") ? 8 : 2, value: given, spellcheck: false, placeholder: "puzzle-17, or a puzzle in any notation" });
  const form = element("form.row", labelled("ID or text", input),
    choice("kind", "Kind of the text", kinds(), kind), element("button", "Show"));
  form.onsubmit = event => {
    event.preventDefault();
    const [wanted, old] = [input.value.trim(), location.hash];
    location.hash = `puzzle?${new URLSearchParams(/^puzzle-\d+$/.test(wanted) ? { id: wanted } : { kind: form.kind.value, text: wanted })}`;
    if (location.hash === old) dispatchEvent(new Event("hashchange"));
  };
  return form;
}

async function open(section, wanted, signal) {
  const status = element("p.hint", { role: "status" });
  const waits = text => { status.textContent = text; };
  const ask = (method, more) => call(method, { ...wanted, ...more }, { signal, waits });
  const draw = more => pictureOf({ ...wanted, ...more }, { signal, waits });
  const [board, about] = [element("div.board"), element("div", status)];
  section.append(element("div.solve", board, about));
  try {
    const picture = element("img", { src: await draw(), alt: wanted.id ?? "the puzzle" });
    board.append(picture);
    const { caller = { solutions: true } } = server;
    if (!(wanted.id ? await stored(about, ask) : await pasted(about, ask, waits))) return;
    if (caller.solutions) await walk(board, picture, ask, draw, waits, signal);
    else about.append(element("p.lack", `The steps need the right to solutions, which ${caller.name} lacks.`));
  } catch (error) {
    waits(error.message);
  }
}

/** Shows a stored puzzle. */
async function stored(about, ask) {
  const { puzzle } = await ask("GetPuzzle", { includeLinks: true, includeRecord: true });
  const { id, kind, withdrawTime, withdrawReason, held, jobId } = puzzle;
  at("kind").value = kind;
  about.append(facts(
    ["kind", `${word(kind)} ${puzzle.variant}`],
    ["rating", ratingOf(puzzle)],
    ["explanation", puzzle.record?.explanation],
    ["job", jobId && may("ListPuzzles") ? link(`#gallery?job=${jobId}`, jobId) : jobId],
    ["import", puzzle.importId],
    ["held", held && "only a series or an audience gets this puzzle"],
    ["withdrawn", withdrawTime && (withdrawReason || "without a reason")],
    ["open in", ...links(puzzle.links)]), copied(puzzle.text));
  if (!withdrawTime) about.append(withdraw(id, () => dispatchEvent(new HashChangeEvent("hashchange"))));
  return true;
}

/** Shows a text, and returns whether it has one solution. */
async function pasted(about, ask, waits) {
  const { verdict, message, links: known } = await ask("Validate", { includeLinks: true });
  about.append(element("p.state", message), facts(["open in", ...links(known)]));
  if (verdict !== "VERDICT_UNIQUE") return false;
  waits("Rating the puzzle …");
  try {
    const rated = await ask("Rate");
    about.append(facts(["rating", ratingOf(rated)], ["explanation", rated.record?.explanation]));
    return true;
  } catch (error) {
    about.append(element("p.state", error.message));
    return error.reason !== "ALREADY_SOLVED";
  } finally {
    waits("");
  }
}

/** Links to programs on the web. Other addresses than those of the web are left out. */
const links = (known = []) => known.filter(({ url }) => url.startsWith("https:")).flatMap(({ name, url }) =>
  [element("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, name), " "]);

/** A text with a button that copies it. */
function copied(text) {
  const field = element("textarea", { value: text, readOnly: true, rows: Math.min(Math.max(text.split("\n").length, 3), 12), ariaLabel: "text of the puzzle" });
  const copy = async () => {
    field.select();
    // A page without TLS has no clipboard; the text is then selected.
    await navigator.clipboard?.writeText(text);
    say("news", navigator.clipboard ? "The text is copied." : "The text is selected.");
  };
  return element("div", field, button("Copy the text", copy));
}

/** Walks the solve: the start, each step, and the solution. One picture is drawn at a time, and the last wish wins. */
async function walk(board, picture, ask, draws, waits, signal) {
  waits("Solving the puzzle …");
  const { steps = [], stepsComplete } = await ask("Solve", { includeSteps: true });
  waits("");
  const last = steps.length + 1;
  const pictures = new Map([[0, picture.src]]);
  const [sentence, place] = [element("p.sentence", { role: "status" }), element("output")];
  const slider = element("input", { type: "range", min: 0, max: last, value: 0, ariaLabel: "step" });
  let [wish, shown, isDrawing] = [0, 0, false];
  const text = step => {
    if (step === 0) return `${count(steps.length, "step")}. Walk them with the arrow keys.`;
    if (step === last) return stepsComplete ? "Solved." : "The known techniques end before this, the solution.";
    return `${steps[step - 1].technique}: ${steps[step - 1].sentence}`;
  };
  const tell = () => {
    place.textContent = `${shown} / ${last}`;
    sentence.textContent = picture.alt = text(shown);
  };
  const draw = async () => {
    if (isDrawing) return;
    isDrawing = true;
    try {
      while (shown !== wish) {
        const step = wish;
        if (!pictures.has(step)) pictures.set(step, await draws(step === last ? { solution: true } : { step }));
        picture.src = pictures.get(step);
        shown = step;
        tell();
      }
    } catch (error) {
      wish = slider.value = shown;
      waits(error.message);
    }
    isDrawing = false;
  };
  const go = step => {
    wish = slider.value = Math.min(Math.max(step, 0), last);
    draw();
  };
  const step = (name, sign, by) => button(sign, () => go(wish + by), { ariaLabel: name });
  slider.oninput = () => go(Number(slider.value));
  const keys = { ArrowLeft: -1, ArrowRight: 1 };
  addEventListener("keydown", event => {
    if (!keys[event.key] || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select, dialog")) return;
    event.preventDefault();
    go(wish + keys[event.key]);
  }, { signal });
  board.append(element("div.row", step("Step back", "◀", -1), slider, step("Next step", "▶", 1), place), sentence);
  tell();
}
