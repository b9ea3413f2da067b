// Calls the API as any client does: as JSON, with the rights of the caller.

/** The methods that the page calls, each with its service and lowest role. A test compares them with the contract. */
export const METHODS = {
  GetServerInfo: "ServerService reader", ListProcesses: "ServerService ops",
  GetStock: "StockService maker", Refill: "StockService ops",
  GetQueue: "JobService maker", PauseQueue: "JobService ops", ResumeQueue: "JobService ops",
  ListJobs: "JobService maker", CancelJob: "JobService maker", RetryJob: "JobService maker",
  Generate: "PuzzleService maker", ListPuzzles: "PuzzleService maker", WithdrawPuzzle: "PuzzleService ops",
  GetPuzzle: "PuzzleService reader", GetDailyPuzzle: "PuzzleService reader", RenderPuzzle: "PuzzleService reader",
  Validate: "PuzzleService reader", Rate: "PuzzleService reader", Solve: "PuzzleService reader",
  ListDailySeries: "SeriesService reader",
};
const ROLES = ["reader", "maker", "ops", "admin"];

/** The last answer of GetServerInfo, and the time when it came. */
export let server = {};
let token = sessionStorage.token ?? "";

/** Reads who calls and what the server makes. Keeps the token if the server knows it. */
export async function enter({ tried = token, waits } = {}) {
  token = tried;
  server = { ...await call("GetServerInfo", {}, { waits }), readTime: Date.now() };
  if (token) sessionStorage.token = token;
}

export function leave() {
  [server, token] = [{}, ""];
  sessionStorage.removeItem("token");
}

/** The lowest role that may call a method. */
export const roleFor = method => METHODS[method].split(" ")[1];

/** Whether the role of the caller allows a method. Servers that do not say who calls decide at the call. */
export function may(method) {
  const { role } = server.caller ?? {};
  return !role || ROLES.indexOf(role.slice(5).toLowerCase()) >= ROLES.indexOf(roleFor(method));
}

/** Says below the view that a call waits. */
const saysBelow = text => { document.getElementById("fault").textContent = text; };

/** Calls a method. If the server is busy or a quota is used up, says so by `waits`, and repeats the call up to 20 times. */
export async function call(method, message = {}, { signal, waits = saysBelow } = {}) {
  for (let repeats = 0; ; repeats++) {
    try {
      return await callOnce(method, message, signal);
    } catch (error) {
      if (!error.delay || repeats === 20 || !["BUSY", "QUOTA_EXCEEDED"].includes(error.reason)) throw error;
      waits(`${method} waits for ${Math.ceil(error.delay)} s: ${error.message}`);
      await new Promise(resolve => setTimeout(resolve, 1000 * error.delay));
      signal?.throwIfAborted();
      waits("");
    }
  }
}

async function callOnce(method, message, signal) {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const path = `puzzled.v1.${METHODS[method].split(" ")[0]}/${method}`;
  const fails = text => error => { throw signal?.aborted ? error : new Error(`${method}: ${text}`); };
  const ends = AbortSignal.any([AbortSignal.timeout(60_000), ...(signal ? [signal] : [])]);
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(message), signal: ends }).catch(fails("the server does not answer."));
  const value = await answer.json().catch(fails(`status ${answer.status}, without an answer in JSON.`));
  if (answer.ok) return value;
  throw refusal(value);
}

/** The error of a call that the server refused, with its reason, and the seconds after which the call may be repeated. */
function refusal({ code, message = code, details = [] }) {
  const detail = name => details.find(({ type }) => type === `google.rpc.${name}`)?.debug ?? {};
  const [{ reason }, { retryDelay }] = [detail("ErrorInfo"), detail("RetryInfo")];
  if (reason === "UNAUTHENTICATED") dispatchEvent(new CustomEvent("unauthenticated", { detail: message }));
  return Object.assign(new Error(message), { reason, delay: seconds(retryDelay) });
}

/** The seconds of a duration in JSON, such as `1.5s`. */
export const seconds = duration => parseFloat(duration ?? 0);
