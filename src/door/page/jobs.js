// The jobs, and a form that queues one.
import { call, may, server } from "./api.js";
import { LEVELS, action, bar, cell, count, element, link, moment, part, row, spec, table, word } from "./elements.js";

const STATES = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED", "ENDED"].map(name => `JOB_STATE_${name}`);
const PAGE = 25;

export function jobs(query) {
  const kinds = server.kinds.map(({ kind }) => kind);
  let pageSize = PAGE;
  const [states, kind] = [query.getAll("state"), query.get("kind") ?? undefined];
  const read = waits => call("ListJobs", { states, kind, pageSize }, { waits });
  const render = ({ jobs = [], nextPageToken }, refresh) => {
    if (!jobs.length) return element("p", { className: "hint" }, "There is no such job. Queue one: ", element("code", {}, "puzzled enqueue --level hard --count 50"));
    const more = nextPageToken && pageSize < server.limits.maxPageSize && action("More", "jobs", "ListJobs", () => {
      pageSize += PAGE;
      return refresh();
    });
    return [table("Jobs, newest first", ["job", "puzzles", "made", "state", "notes", "action"], jobs.map(job => jobRow(job, refresh))), more];
  };
  const list = part("Jobs", "ListJobs", read, render);
  list.section.firstChild.after(filters(query, kinds));
  if (may("Generate")) list.section.append(make(kinds, list.refresh));
  return [list];
}

const select = (name, label, values, chosen, all) => [element("label", { htmlFor: name }, label), element("select", { id: name, name },
  all && element("option", { value: "" }, all), values.map(one => element("option", { value: one, selected: one === chosen }, word(one))))];

/** The filters, which stand in the address so that it can be shared. */
function filters(query, kinds) {
  const form = element("form", { className: "row", ariaLabel: "Filters" },
    select("state", "State", STATES, query.get("state"), "any"), select("kind", "Kind", kinds, query.get("kind"), "any"));
  form.onchange = () => {
    const chosen = [...new FormData(form)].filter(([, value]) => value);
    location.hash = `jobs?${new URLSearchParams(chosen)}`;
  };
  return form;
}

function jobRow(job, refresh) {
  const { id, state, wanted, made = 0, labels = {}, requestId, principal, series, audience, targetId, error, nearest, createTime } = job;
  const act = (name, method, done) => action(name, id, method, async () => {
    await call(method, { id });
    await refresh();
    return `${id} ${done}.`;
  });
  const [isOpen, isRetried] = [/QUEUED|RUNNING/.test(state), /FAILED|CANCELLED|ENDED/.test(state)];
  const notes = [
    moment(createTime), principal && `by ${principal}`, targetId && `for ${targetId}`, series && `for the series ${series}`,
    audience && `for ${audience}`, requestId && `request ${requestId}`, ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
    error || state !== "JOB_STATE_SUCCEEDED" && nearest,
  ];
  return row(made ? link(`#gallery?job=${id}`, id) : id, cell(spec(job.spec)),
    cell(bar(made, wanted, `${id}: ${made} of ${wanted}`), element("small", {}, `${made} of ${wanted}`)),
    cell(element("span", { className: state === "JOB_STATE_FAILED" ? "bad" : "" }, word(state))), cell(notes.filter(note => note).join("; ")),
    cell(isOpen && act("Cancel", "CancelJob", "is cancelled"), isRetried && act("Retry", "RetryJob", "is queued again")));
}

/** The form that queues a job. */
function make(kinds, refresh) {
  const variants = element("datalist", { id: "variants" });
  const variant = element("input", { id: "variant", name: "variant", placeholder: "usual", autocomplete: "off" });
  variant.setAttribute("list", "variants");
  const amount = element("input", { id: "count", name: "count", type: "number", min: 1, max: server.limits.maxCount, value: 10, required: true });
  const button = action("Make", "", "Generate", async () => {
    if (!form.reportValidity()) return;
    const [kind, level] = [form["make-kind"].value, form["make-level"].value || undefined];
    const { job } = await call("Generate", { kind, variant: variant.value, level, count: Number(amount.value) });
    await refresh();
    return `${job.id} makes ${count(job.wanted, "puzzle")}.`;
  });
  button.type = "submit";
  const form = element("form", { className: "row", ariaLabel: "Make puzzles", onsubmit: event => event.preventDefault() }, element("h3", {}, "Make"),
    select("make-kind", "Kind", kinds), element("label", { htmlFor: "variant" }, "Variant"), variant, variants,
    select("make-level", "Level", LEVELS, LEVELS[2], "any"), element("label", { htmlFor: "count" }, "Puzzles"), amount, button);
  form.onchange = () => {
    const known = server.kinds.find(({ kind }) => kind === form["make-kind"].value);
    variants.replaceChildren(...known.variants.map(({ name }) => element("option", { value: name })));
  };
  form.onchange();
  return form;
}
