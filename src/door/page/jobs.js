// The jobs, and a form that queues one.
import { may, server } from "./api.js";
import { LEVELS, action, bar, choice, count, element, hint, joined, kinds, labelled, link, list, moment, row, spec, table, word } from "./elements.js";

const STATES = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED", "ENDED"].map(name => `JOB_STATE_${name}`);

export function jobs(query) {
  const request = { states: query.getAll("state"), kind: query.get("kind") ?? undefined, pageSize: 25 };
  const render = (jobs, refresh) => jobs.length
    ? table("Jobs, newest first", ["job", "puzzles", "made", "state", "notes", "action"], jobs.map(job => jobRow(job, refresh)))
    : hint("There is no such job. Queue one: ", "puzzled enqueue --level hard --count 50");
  const shown = list("Jobs", "ListJobs", "jobs", request, 1, render);
  shown.section.firstChild.after(filters(query));
  if (may("Generate")) shown.section.append(make(shown.refresh));
  return [shown];
}

/** The filters, which stand in the address so that it can be shared. */
function filters(query) {
  const form = element("form.row", { ariaLabel: "Filters" },
    choice("state", "State", STATES, query.get("state"), "any"), choice("kind", "Kind", kinds(), query.get("kind"), "any"));
  form.onchange = () => { location.hash = `jobs?${new URLSearchParams([...new FormData(form)].filter(([, value]) => value))}`; };
  return form;
}

function jobRow(job, refresh) {
  const { id, state, wanted, made = 0, labels = {}, requestId, principal, series, audience, targetId, error, nearest, createTime } = job;
  const act = (name, method, done) => action(name, id, method, async send => {
    await send({ id });
    await refresh();
    return `${id} ${done}.`;
  });
  const notes = [
    moment(createTime), principal && `by ${principal}`, targetId && `for ${targetId}`, series && `for the series ${series}`,
    audience && `for ${audience}`, requestId && `request ${requestId}`, ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
    error || state !== "JOB_STATE_SUCCEEDED" && nearest,
  ];
  return row(made ? link(`#gallery?job=${id}`, id) : id, spec(job.spec),
    [bar(made, wanted, `${id}: ${made} of ${wanted}`), element("small", `${made} of ${wanted}`)],
    element("span", /FAILED/.test(state) && { className: "bad" }, word(state)), joined(notes, "; "),
    /QUEUED|RUNNING/.test(state) ? act("Cancel", "CancelJob", "is cancelled") : /FAILED|CANCELLED|ENDED/.test(state) && act("Retry", "RetryJob", "is queued again"));
}

/** The form that queues a job. */
function make(refresh) {
  const variants = element("datalist", { id: "variants" });
  const variant = element("input", { placeholder: "usual", autocomplete: "off" });
  variant.setAttribute("list", "variants");
  const amount = element("input", { type: "number", min: 1, max: server.limits.maxCount, value: 10, required: true });
  let requestId;
  const button = action("Make", "", "Generate", async send => {
    if (!form.reportValidity()) return;
    // After a lost answer, the next click repeats the request, which makes no second job.
    requestId ??= ["page", ...crypto.getRandomValues(new Uint32Array(2))].join("-");
    const [kind, level] = [form["make-kind"].value, form["make-level"].value || undefined];
    const { job } = await send({ kind, variant: variant.value, level, count: Number(amount.value), requestId });
    requestId = undefined;
    await refresh();
    return `${job.id} makes ${count(job.wanted, "puzzle")}.`;
  });
  button.type = "submit";
  const form = element("form.row", { ariaLabel: "Make puzzles", onsubmit: event => event.preventDefault() }, element("h3", "Make"),
    choice("make-kind", "Kind", kinds()), labelled("Variant", variant), variants,
    choice("make-level", "Level", LEVELS, LEVELS[2], "any"), labelled("Puzzles", amount), button);
  form.onchange = () => {
    requestId = undefined;
    const known = server.kinds.find(({ kind }) => kind === form["make-kind"].value);
    variants.replaceChildren(...known.variants.map(({ name }) => element("option", { value: name })));
  };
  form.onchange();
  return form;
}
