// The first view: the server, its queue, and its processes.
import { call, seconds, server } from "./api.js";
import { action, ask, cell, count, element, facts, moment, number, part, row, span, table, word } from "./elements.js";

export function now() {
  const about = part("Server", "GetServerInfo", () => server, ({ version, engineVersion, caller = {} }) => facts(
    ["version", `${version}, engine ${engineVersion}`],
    ["you are", caller.name && `${caller.name}, role ${word(caller.role)}${caller.solutions ? "" : ", without the right to solutions"}`]));
  const queue = part("Queue", "GetQueue", waits => call("GetQueue", {}, { waits }), renderQueue);
  const processes = part("Processes", "ListProcesses", waits => call("ListProcesses", { pageSize: 100 }, { waits }), renderProcesses);
  return [about, queue, processes];
}

function renderQueue({ queue }, refresh) {
  const { paused, pauseTime, pauseReason, stockFull, stockFullTime, stockFullReason, oldestWait, databaseBytes } = queue;
  const pause = async () => {
    const reason = await ask("Pause the queue on all servers?", "Pause");
    if (reason === undefined) return;
    await call("PauseQueue", { reason });
    await refresh();
  };
  const resume = async () => {
    await call("ResumeQueue");
    await refresh();
  };
  const limit = (max, text) => max === undefined ? "" : ` of at most ${text(max)}`;
  const puzzles = amount => count(amount, "puzzle");
  const size = bytes => `${(Number(bytes) / 1e6).toFixed(1)} MB`;
  return [
    element("p", { className: paused ? "state bad" : "state" }, paused ? `Paused since ${moment(pauseTime)}` : "Running",
      pauseReason && `: ${pauseReason}`, " ", paused ? action("Resume", "", "ResumeQueue", resume) : action("Pause", "", "PauseQueue", pause)),
    stockFull && element("p", { className: "state bad" }, `The stock is full since ${moment(stockFullTime)}: ${stockFullReason}`),
    facts(
      ["in circulation", puzzles(queue.puzzles) + limit(queue.maxPuzzles, puzzles)],
      ["jobs", `${queue.runningJobs ?? 0} running, ${queue.queuedJobs ?? 0} queued, ${queue.failedJobs ?? 0} failed`],
      ["longest wait", oldestWait && span(seconds(oldestWait))],
      ["slices", `${queue.leasedSlices ?? 0} in work, ${queue.waitingSlices ?? 0} waiting`],
      ["database", databaseBytes && size(databaseBytes) + limit(queue.maxDatabaseBytes, size)]),
  ];
}

function renderProcesses({ processes = [] }) {
  // The process that answers was seen within 10 s, whatever this machine's clock says.
  const newest = Math.max(...processes.map(({ seenTime }) => new Date(seenTime)));
  const seen = ({ seenTime }) => {
    const ago = (newest - new Date(seenTime)) / 1000;
    return ago > 20 ? element("strong", { className: "bad" }, `not seen for ${span(ago)}`) : "alive";
  };
  return table("Processes", ["host", "role", "version", "workers", "busy", "since", "state"], processes.map(one => row(
    one.host, cell(word(one.role)), cell(one.version), number(one.workers ?? 0), number(one.heldSlices ?? 0),
    cell(moment(one.startTime)), cell(seen(one)))));
}
