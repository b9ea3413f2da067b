// A person at the page: what it sees and does, and what no page may do.
"use strict";
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const puppeteer = require("puppeteer-core");

const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'none'; "
  + "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

async function launch(folder) {
  const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
  // Chromium has no sandbox for root, and finds little shared memory in containers.
  const args = ["--disable-gpu", "--disable-dev-shm-usage", ...(process.getuid() === 0 ? ["--no-sandbox"] : [])];
  return puppeteer.launch({ executablePath, args, userDataDir: path.join(folder, "profile"), protocolTimeout: 90_000 });
}

class Person {
  /** Opens a view. `provoked` matches the lines that the browser itself writes for answers that the scenario provokes. */
  static async open(browser, address, view = "", { width = 1280, height = 900, provoked } = {}) {
    const page = await browser.newPage();
    const person = Object.assign(new Person(), { page, address, faults: [], provoked });
    // Only a page that hangs, or a machine under load, meets it.
    page.setDefaultTimeout(60_000);
    await page.setViewport({ width, height });
    person.watch(new URL(`http://${address}`).host);
    await page.goto(`http://${address}/${view}`);
    return person;
  }

  /** Notes what no page may do: errors, requests to other hosts, and files without their headers. */
  watch(host) {
    const { page, faults } = this;
    page.on("pageerror", error => faults.push(`page error: ${error.stack}`));
    page.on("console", message => {
      const isProvoked = message.text().startsWith("Failed to load resource:") && this.provoked?.test(message.text());
      if (!isProvoked) faults.push(`console: ${message.text()}`);
    });
    page.on("request", request => {
      const url = new URL(request.url());
      if (url.protocol !== "data:" && url.host !== host) faults.push(`request to ${url}`);
    });
    page.on("response", response => {
      const headers = response.headers();
      if (response.request().method() !== "GET" || response.url().startsWith("data:")) return;
      const has = { "content-security-policy": POLICY, "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin", "cache-control": "no-cache", vary: "accept" };
      const wrong = Object.entries(has).filter(([name, value]) => headers[name] !== value);
      if (wrong.length || !headers.etag) faults.push(`headers of ${response.url()}: ${JSON.stringify(headers)}`);
    });
  }

  /** Waits until the page shows a text. */
  async sees(text) {
    const isShown = text => document.body.innerText.replaceAll(/\s+/g, " ").includes(text);
    await this.until(isShown, text);
  }

  text() {
    return this.page.evaluate(() => document.body.innerText);
  }

  /** Waits until a script in the page returns a true value, and returns it. */
  async until(script, ...args) {
    const found = await this.page.waitForFunction(script, {}, ...args).catch(async error => {
      throw new Error(`${error.message}: ${script} in:\n${await this.text()}`);
    });
    return found.jsonValue();
  }

  /** Waits until there are this many elements. */
  async counts(selector, count) {
    await this.until((selector, count) => document.querySelectorAll(selector).length === count, selector, count);
  }

  /** Clicks the control with this name. */
  async click(name, role = "button") {
    await this.page.locator(`::-p-aria([name="${name}"][role="${role}"])`).click();
  }

  /** Lets the page read its numbers again at once, as it does when a person comes back to it. */
  async comeBack() {
    await this.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  }

  async go(view) {
    await this.click(view, "link");
  }

  /** Writes into the field with this label. */
  async fill(label, text) {
    await this.page.locator(`::-p-aria([name="${label}"])`).fill(text);
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Presses Tab until a control has the focus, and fails after a hundred. */
  async tabTo(name) {
    for (let tabs = 0; tabs < 100; tabs++) {
      await this.press("Tab");
      const focused = await this.page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.innerText);
      if (focused === name) return;
    }
    throw new Error(`no Tab reaches ${name}`);
  }

  async scheme(value) {
    await this.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
  }

  /** Notes violations that axe finds serious or worse, and content that is wider than the window. */
  async check(what) {
    await this.page.evaluate(AXE);
    const { violations } = await this.page.evaluate(() => axe.run());
    for (const { id, impact, nodes } of violations.filter(({ impact }) => ["serious", "critical"].includes(impact))) {
      this.faults.push(`${what}: ${impact} ${id}: ${nodes.map(node => node.html + node.failureSummary).join("\n")}`);
    }
    const excess = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (excess > 0) this.faults.push(`${what}: ${excess} pixels too wide`);
  }

  /** Fails if the page did what no page may do. */
  done() {
    if (this.faults.length) throw new Error(this.faults.join("\n"));
  }
}

module.exports = { Person, launch };
