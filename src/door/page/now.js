// The first view: the server, its queue, and its processes.
import { enter, seconds, server } from "./api.js";
import { action, ask, count, element, facts, list, moment, part, row, span, table, word } from "./elements.js";

export function now() {
  return [
    part("Server", "GetServerInfo", renderServer, readServer), part("Queue", "GetQueue", renderQueue),
    // All pages, because the process that answers may be on the last one.
    list("Processes", "ListProcesses", "processes", { pageSize: 1000 }, Infinity, renderProcesses),
  ];
}

/** Reads the server again, unless the page has just done so. */
async function readServer(waits) {
  if (Date.now() - server.readTime > 1000) await enter({ waits });
  const { version, engineVersion, caller } = server;
  return { version, engineVersion, caller };
}

const renderServer = ({ version, engineVersion, caller = {} }) => facts(
  ["version", `${version}, engine ${engineVersion}`],
  ["you are", caller.name && `${caller.name}, role ${word(caller.role)}${caller.solutions ? "" : ", without the right to solutions"}`]);

function renderQueue({ queue }, refresh) {
  const { paused, pauseTime, pauseReason, stockFull, stockFullTime, stockFullReason, oldestWait, databaseBytes } = queue;
  const pause = action("Pause", "", "PauseQueue", async send => {
    const reason = await ask("Pause the queue on all servers?", "Pause");
    if (reason !== undefined) await send({ reason }).then(refresh);
  });
  const resume = action("Resume", "", "ResumeQueue", send => send().then(refresh));
  const limit = (max, text) => max === undefined ? "" : ` of at most ${text(max)}`;
  const puzzles = amount => count(amount, "puzzle");
  const size = bytes => `${(Number(bytes) / 1e6).toFixed(1)} MB`;
  return [
    element("p.state", paused && { className: "state bad" }, paused ? `Paused since ${moment(pauseTime)}` : "Running",
      pauseReason && `: ${pauseReason}`, " ", paused ? resume : pause),
    stockFull && element("p.state.bad", `The stock is full since ${moment(stockFullTime)}: ${stockFullReason}`),
    facts(
      ["in circulation", puzzles(queue.puzzles) + limit(queue.maxPuzzles, puzzles)],
      ["jobs", `${queue.runningJobs ?? 0} running, ${queue.queuedJobs ?? 0} queued, ${queue.failedJobs ?? 0} failed`],
      ["longest wait", oldestWait && span(seconds(oldestWait))],
      ["slices", `${queue.leasedSlices ?? 0} in work, ${queue.waitingSlices ?? 0} waiting`],
      ["database", databaseBytes && size(databaseBytes) + limit(queue.maxDatabaseBytes, size)]),
  ];
}

function renderProcesses(processes) {
  // The process that answers was seen within 10 s, whatever this machine's clock says.
  const newest = Math.max(...processes.map(({ seenTime }) => new Date(seenTime)));
  const seen = ({ seenTime }) => {
    const ago = (newest - new Date(seenTime)) / 1000;
    return ago > 20 ? element("strong.bad", `not seen for ${span(ago)}`) : "alive";
  };
  return table("Processes", ["host", "role", "version", "workers", "busy", "since", "state"], processes.map(one => row(
    one.host, word(one.role), one.version, one.workers ?? 0, one.heldSlices ?? 0, moment(one.startTime), seen(one))));
}
