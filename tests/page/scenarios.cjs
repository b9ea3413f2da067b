// The scenarios: `node scenarios.cjs SCENARIO BINARY FOLDER`. Each has a server, a folder, and a browser of its own. A scenario that
// returns has succeeded. All waits are for what the page shows.
"use strict";
const http = require("node:http");
const { Person, launch } = require("./browser.cjs");
const { Server } = require("./server.cjs");

// The series takes no puzzle of the target.
const DAYS = [`kind = "sudoku", variant = "6x6"`, `kind = "futoshiki", variant = "4x4"`].map(day => `{ ${day} }`);
const SERIES = `[[series]]\nname = "daily"\nweekdays = [${Array(7).fill().map((_, day) => DAYS[day % 2])}]\n`;
const TARGETS = `[[target]]\nvariant = "4x4"\nlevel = "easy"\ntarget = 20\n`;
const VIEWS = ["Now", "Stock", "Puzzle", "Jobs", "Series"];
const UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SEVERAL = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28.........5....8..79";
// Its rating takes longer than any scenario.
const HARD = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
const HOSTILE = `<img src=x onerror="document.title='run'">`;

/** Waits until each picture of the view is drawn. */
const drawn = person => person.until(() => {
  const pictures = [...document.querySelectorAll("main img")];
  return pictures.length && pictures.every(({ complete, naturalWidth }) => complete && naturalWidth);
});

const SCENARIOS = {
  async operator_spends_a_morning({ server, browser }) {
    await server.start(TARGETS + SERIES);
    const person = await Person.open(browser, server.address);
    await person.sees("Running");
    await person.sees("anonymous, role admin");
    await person.check("Now");

    await person.go("Stock");
    await person.sees("20 of 20 stocked");
    await person.check("Stock");
    await person.click("sudoku 4x4 easy: 20 puzzles", "link");
    await person.counts(".pictures li", 12);
    await person.click("More");
    await person.counts(".pictures li", 20);
    await drawn(person);
    await person.check("Gallery");
    const [first, second] = await person.page.$$eval(".pictures b", ids => ids.map(({ textContent }) => textContent));
    await withdraw(person, first);
    await person.sees(`${first} is withdrawn.`);

    await person.page.locator(`a[href="#puzzle?id=${second}"]`).click();
    await person.sees("Walk them with the arrow keys.");
    await person.press("ArrowRight");
    await person.sees("1 / ");
    const last = await person.page.$eval("[type=range]", slider => Number(slider.max));
    await person.press(...Array(last - 1).fill("ArrowRight"));
    await person.sees(`${last} / ${last} Solved.`);
    await person.check("Puzzle");
    await person.click("Step back");
    await person.sees(`${last - 1} / ${last}`);

    await person.go("Now");
    await person.click("Pause");
    await person.fill("Reason", "the backup runs");
    await person.press("Enter");
    await person.sees("the backup runs");
    await person.go("Jobs");
    await person.fill("Puzzles", "3");
    await person.click("Make");
    await person.sees("makes 3 puzzles.");
    const job = await person.until(() => document.querySelector("[aria-label^='Cancel job']")?.ariaLabel.slice(7));
    await person.click(`Cancel ${job}`);
    await person.sees(`${job} is cancelled.`);
    const { job: other } = await server.call("PuzzleService/Generate", { kind: "KIND_SUDOKU" });
    await person.comeBack();
    await person.sees(other.id);
    await person.sees(`${job} is cancelled.`);
    await person.click(`Cancel ${other.id}`);
    await person.sees(`${other.id} is cancelled.`);
    await person.check("Jobs");
    await person.page.select("#state", "JOB_STATE_CANCELLED");
    await person.counts("tbody tr", 2);
    if (!person.page.url().endsWith("#jobs?state=JOB_STATE_CANCELLED")) throw new Error(person.page.url());
    await person.click(`Retry ${job}`);
    await person.counts("tbody tr", 1);
    await person.go("Now");
    await person.click("Resume");
    await person.sees("Running");

    await person.go("Series");
    await drawn(person);
    await person.sees("daily: several kinds");
    await person.sees("futoshiki 4x4");
    await person.check("Series");
    const [day] = await person.page.$$eval("main img", pictures => pictures.map(({ alt }) => alt.split(",")[0]));
    await withdraw(person, day);
    await person.until(day => ![...document.querySelectorAll("main img")].some(({ alt }) => alt.startsWith(`${day},`)), day);
    const { puzzle } = await server.call("PuzzleService/GetPuzzle", { id: day });
    if (puzzle.withdrawReason !== "two solutions in print") throw new Error(JSON.stringify(puzzle));
    person.done();
  },

  async looking_at_each_view_changes_nothing({ server, browser }) {
    await server.start(TARGETS + SERIES);
    const person = await Person.open(browser, server.address, "#stock");
    await person.sees("20 of 20 stocked");
    const { puzzle } = await server.call("PuzzleService/GetPuzzle", { kind: "KIND_SUDOKU", variant: "4x4", audience: "site" });
    await person.go("Series");
    await person.until(() => document.querySelectorAll("main img").length > 1);
    // Nothing but the visit could change the state now.
    await server.call("JobService/PauseQueue", { reason: "visit" });
    const state = async () => JSON.stringify([
      await server.call("ServerService/ListAuditEntries"), await server.call("SeriesService/ListDailySeries"),
      await server.call("StockService/GetStock"), await server.call("PuzzleService/ListDeliveries", { audience: "site" }),
    ]);
    const before = await state();
    for (const view of [...VIEWS, "Now"]) {
      await person.go(view);
      await person.page.waitForNetworkIdle({ idleTime: 100 });
    }
    await person.go("Stock");
    await person.page.locator(".level a").click();
    await drawn(person);
    await person.page.goto(`http://${server.address}/#puzzle?id=${puzzle.id}`);
    await person.sees("Walk them");
    await person.press("ArrowRight");
    await person.sees("1 / ");
    await person.page.reload();
    await person.sees("Walk them");
    const after = await state();
    if (after !== before) throw new Error(`${before}\n${after}`);
    person.done();
  },

  async reader_maker_and_caller_without_solutions_see_what_they_lack({ server, browser }) {
    server.principals({ admin: "admin solutions", reader: "reader solutions", maker: "maker solutions", blind: "ops" }, "[role.maker]\nopen_jobs = 1\n");
    await server.start(`access = "access.toml"\n${SERIES}`);
    const person = await Person.open(browser, server.address, "", { provoked: /status of 4(01|03|29)/ });
    await person.sees("This server needs a token");
    await person.check("Login");
    const enter = async name => {
      await person.fill("This server needs a token, pzd_…. The page keeps it until you close the tab.", server.tokens[name] ?? name);
      await person.press("Enter");
    };
    await enter("pzd_reader_1");
    await person.sees("authorization: not of the form");
    await enter("tökén");
    await person.sees("The token has a character that no token has.");

    await enter("reader");
    await person.sees("GetQueue needs the role maker; reader has the role reader.");
    await person.check("Now of a reader");
    await person.go("Stock");
    await person.sees("GetStock needs the role maker; reader has the role reader.");
    await person.go("Jobs");
    await person.sees("ListJobs needs the role maker; reader has the role reader.");
    await person.go("Series");
    await drawn(person);
    await person.counts("main li", 1);
    await person.sees("Withdraw: needs ops");
    await person.page.locator("main li a").click();
    await person.sees("Walk them with the arrow keys.");
    const kept = await person.page.evaluate(() => [location.href, document.cookie, localStorage.length].join());
    if (kept.includes("pzd_") || !kept.endsWith(",,0")) throw new Error(kept);
    await person.click("Forget the token");
    await person.sees("This server needs a token");

    await enter("maker");
    await person.go("Now");
    await person.sees("ListProcesses needs the role ops; maker has the role maker.");
    await person.sees("Pause: needs ops");
    await server.call("JobService/PauseQueue");
    await person.go("Jobs");
    await person.click("Make");
    await person.sees("makes 10 puzzles.");
    await person.click("Make");
    await person.until(() => document.getElementById("fault").innerText.includes("open_jobs"));
    if ((await person.text()).includes("makes 10 puzzles.")) throw new Error("news of an earlier action");
    await person.click("Forget the token");

    await enter("blind");
    await person.go("Series");
    await drawn(person);
    await person.page.locator("main li a").click();
    await person.sees("The steps need the right to solutions, which blind lacks.");
    const { entries } = await server.call("ServerService/ListAuditEntries");
    if (entries.some(({ denied }) => denied)) throw new Error(JSON.stringify(entries));

    await person.go("Now");
    await person.sees("blind, role ops, without the right to solutions");
    server.giveRole("blind", "maker");
    await person.until(async () => {
      document.dispatchEvent(new Event("visibilitychange"));
      return document.body.innerText.includes("blind, role maker");
    });
    await person.sees("blind, maker");
    await person.sees("ListProcesses needs the role ops; blind has the role maker.");
    await person.counts(".stale", 0);
    server.principals({ admin: "admin solutions" });
    server.process.kill("SIGHUP");
    await person.sees("the token is unknown or was revoked");
    await person.counts("main section", 0);
    person.done();
  },

  async keyboard_alone_reaches_everything({ server, browser }) {
    await server.start();
    server.stock(2);
    const person = await Person.open(browser, server.address);
    const follow = async name => {
      await person.tabTo(name);
      await person.press("Enter");
    };
    await person.sees("Running");
    await follow("Stock");
    await person.sees("Puzzles in stock");
    await follow("sudoku 4x4 easy: 2 puzzles");
    await person.sees("Oldest first.");
    const id = await person.until(() => document.querySelector(".pictures b")?.textContent);
    await follow(id);
    await person.sees("Walk them with the arrow keys.");
    await person.press("ArrowRight", "ArrowRight", "ArrowLeft");
    await person.sees("1 / ");
    await follow("Now");
    await person.sees("Running");
    await follow("Pause");
    await person.page.keyboard.type("lunch");
    await person.press("Enter");
    await person.sees(": lunch");
    // The control that has replaced the one with the focus has it now.
    await person.press("Enter");
    await person.sees("Running");
    await follow("Pause");
    await person.press("Escape");
    await person.until(() => !document.querySelector("dialog[open]") && document.activeElement.textContent === "Pause");
    await follow(`Puzzle`);
    await person.tabTo("");
    await person.page.keyboard.type(id);
    await follow("Show");
    await follow(`Withdraw ${id}`);
    await person.page.keyboard.type("typing error");
    await person.press("Enter");
    // The second key comes before the browser has told the page that the dialog is closed.
    await Promise.all(["Escape", "Enter"].map(key => person.page.keyboard.press(key)));
    await person.page.keyboard.type("typing error");
    const { puzzle } = await server.call("PuzzleService/GetPuzzle", { id });
    if (puzzle.withdrawTime) throw new Error("one question withdrew a puzzle");
    await person.press("Enter");
    await person.sees("This cannot be undone.");
    await follow("Withdraw for good");
    await person.sees("withdrawn typing error");
    person.done();
  },

  async narrow_window_shows_a_long_reason_in_both_schemes({ server, browser }) {
    await server.start(TARGETS + SERIES);
    const person = await Person.open(browser, server.address, "#stock", { width: 320, height: 640 });
    await person.sees("20 of 20 stocked");
    const reason = "x".repeat(500);
    await server.call("JobService/PauseQueue", { reason });
    for (const scheme of ["light", "dark"]) {
      await person.scheme(scheme);
      for (const view of VIEWS) {
        await person.go(view);
        if (view === "Now") await person.sees(reason);
        await person.page.waitForNetworkIdle({ idleTime: 100 });
        await person.check(`${view}, ${scheme}`);
      }
      await person.go("Stock");
      await person.page.locator(".level a").click();
      await drawn(person);
      await person.check(`Gallery, ${scheme}`);
      await person.page.locator(".pictures a").click();
      await person.sees("Walk them");
      await person.check(`A puzzle, ${scheme}`);
    }
    person.done();
  },

  async text_of_others_is_shown_as_text({ server, browser }) {
    await server.start();
    server.stock(1);
    await server.call("PuzzleService/WithdrawPuzzle", { id: "puzzle-1", reason: HOSTILE });
    await server.call("JobService/PauseQueue", { reason: HOSTILE });
    await server.call("PuzzleService/Generate", { kind: "KIND_SUDOKU", requestId: HOSTILE, labels: { note: HOSTILE } });
    const person = await Person.open(browser, server.address, "", { provoked: /status of 40[04]/ });
    await person.sees(`: ${HOSTILE}`);
    await person.go("Jobs");
    await person.sees(`request ${HOSTILE}; note=${HOSTILE}`);
    await person.page.goto(`http://${server.address}/#puzzle?id=puzzle-1`);
    await person.sees(`withdrawn ${HOSTILE}`);
    await person.go("Puzzle");
    await person.fill("ID or text", HOSTILE);
    await person.click("Show");
    await person.sees("text: ");
    for (const view of [`puzzle?id=${HOSTILE}`, `gallery?variant=${HOSTILE}&level=LEVEL_EASY`, `gallery?job=${HOSTILE}`, HOSTILE]) {
      await person.page.goto(`http://${server.address}/#${encodeURI(view)}`);
      await person.page.waitForNetworkIdle({ idleTime: 100 });
    }
    const made = await person.page.evaluate(() => [document.title, document.querySelectorAll("[src=x], [onerror]").length].join());
    if (made !== "now · puzzled,0") throw new Error(made);
    person.done();
  },

  async pasted_puzzle_is_rated_or_explained({ server, browser }) {
    server.principals({ admin: "admin solutions", slow: "reader solutions" }, "[role.reader]\ncalls_per_second = 2\n");
    await server.start(`access = "access.toml"\n`);
    const person = await Person.open(browser, server.address, "#puzzle", { provoked: /status of 4(00|01|29)/ });
    await person.page.locator("#token").fill(server.tokens.slow);
    await person.press("Enter");
    const paste = async text => {
      await person.fill("ID or text", text);
      await person.click("Show");
    };
    await paste(UNIQUE);
    await person.sees("waits for 1 s: calls_per_second");
    await person.sees("easy 1.2");
    await person.sees("Walk them with the arrow keys.");
    await person.press("ArrowRight");
    await person.sees("1 / ");
    await person.check("A pasted puzzle");
    await paste(SEVERAL);
    await person.sees("more than one solution");
    await drawn(person);
    await paste("53..7");
    await person.sees("text: ");
    person.done();
  },

  async server_that_stops_is_missed_until_it_returns({ server, browser }) {
    await server.start();
    const person = await Person.open(browser, server.address, "", { provoked: /ERR_/ });
    await person.sees("Running");
    await server.stop();
    await person.comeBack();
    await person.sees("GetQueue: the server does not answer. These numbers are of");
    await person.check("Now without a server");
    await server.start();
    await person.comeBack();
    await person.counts(".stale", 0);
    if ((await person.text()).includes("does not answer")) throw new Error("an old fault");
    person.done();
  },

  async busy_server_is_waited_for({ server, browser }) {
    await server.start("max_waiting_long = 1\n");
    server.stock(1, "futoshiki");
    // Two of them are rated, and one waits.
    const ratings = [1, 2, 3].map(() => server.begin("PuzzleService/Rate", { kind: "KIND_SUDOKU", text: HARD }));
    for (const rating of ratings) rating.on("error", () => {});
    const person = await Person.open(browser, server.address, "#puzzle?id=puzzle-1", { provoked: /status of 429/ });
    await person.sees("Solve waits for 1 s: ");
    if (await person.page.$eval("#kind", ({ value }) => value) !== "KIND_FUTOSHIKI") throw new Error("the kind of the puzzle is not selected");
    for (const rating of ratings) rating.destroy();
    await person.sees("Walk them with the arrow keys.");
    if ((await person.text()).includes("waits for")) throw new Error("an old delay");
    person.done();
  },

  async full_stock_and_all_processes_are_shown({ server, browser }) {
    await server.start(`max_puzzles = 4\n[[target]]\nvariant = "10x10"\nlevel = "easy"\ntarget = 1\ncron = "0 0 29 2 *"\n`);
    server.stock(4);
    const person = await Person.open(browser, server.address, "", { provoked: /status of 429/ });
    await person.sees("The stock is full since");
    await person.sees("4 puzzles of at most 4 puzzles");
    await person.counts("tbody tr", 121);
    await person.sees("not seen for 1 h");
    await person.check("Now with a full stock");
    await person.go("Stock");
    await person.until(() => [...document.querySelectorAll("tbody th")].map(({ innerText }) => innerText).join().startsWith("sudoku 4x4,sudoku 10x10,"));
    await person.go("Jobs");
    await person.click("Make");
    await person.until(() => document.getElementById("fault").innerText.startsWith("the stock is full"));
    person.done();
  },

  async page_works_below_a_path({ server, browser }) {
    await server.start();
    server.stock(1);
    const [strays, lost] = [[], []];
    const proxy = http.createServer((request, response) => {
      if (!request.url.startsWith("/x/")) strays.push(request.url);
      const [host, port] = server.address.split(":");
      const { method, headers } = request;
      const onwards = http.request({ host, port, method, headers, path: request.url.slice(2) }, answer => {
        // The first job is queued, but the page does not learn of it.
        if (request.url.endsWith("/Generate") && lost.push(request.url) === 1) return response.writeHead(502).end();
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onwards);
    });
    await new Promise(resolve => proxy.listen(0, "127.0.0.1", resolve));
    const person = await Person.open(browser, `127.0.0.1:${proxy.address().port}`, "x/", { provoked: /status of 502/ });
    await person.sees("Running");
    await person.go("Stock");
    await person.page.locator(".level a").click();
    await drawn(person);
    await person.page.locator(".pictures a").click();
    await person.sees("Walk them");
    await person.go("Jobs");
    await person.click("Make");
    await person.sees("Generate: status 502, without an answer in JSON.");
    await person.click("Make");
    await person.sees("job-2 makes 10 puzzles.");
    await person.counts("tbody tr", 2);
    proxy.close();
    if (strays.length) throw new Error(strays.join("\n"));
    person.done();
  },
};

/** Withdraws a puzzle by its button, which asks twice. */
async function withdraw(person, id) {
  await person.click(`Withdraw ${id}`);
  await person.fill("Reason", "two solutions in print");
  await person.press("Enter");
  await person.sees("This cannot be undone.");
  await person.click("Withdraw for good");
}

async function main([name, binary, folder]) {
  const server = new Server(binary, folder);
  let browser;
  try {
    browser = await launch(folder);
    await SCENARIOS[name]({ server, browser });
  } finally {
    await browser?.close();
    await server.stop();
  }
}

main(process.argv.slice(2)).catch(error => {
  console.error(error);
  process.exitCode = 1;
});
