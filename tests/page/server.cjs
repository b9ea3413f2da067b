// A server under test, in a folder of its own, and calls of its API.
"use strict";
const { execFileSync, spawn } = require("node:child_process");
const { once } = require("node:events");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { createInterface } = require("node:readline");

class Server {
  constructor(binary, folder) {
    Object.assign(this, { binary, folder, address: "127.0.0.1:0", tokens: {} });
  }

  /** Starts the server, or starts it again on the same port, with these lines in its configuration file. */
  async start(lines = "") {
    fs.writeFileSync(path.join(this.folder, "puzzled.toml"), lines);
    const args = ["serve", "--config", "puzzled.toml", "--workers", "1", "--listen", this.address];
    this.process = spawn(this.binary, args, { cwd: this.folder, env: {}, stdio: ["ignore", "ignore", "pipe"] });
    for await (const line of createInterface({ input: this.process.stderr })) {
      const listens = / listens on ([^,]*),/.exec(line);
      if (listens) {
        this.address = listens[1];
        break;
      }
    }
    // Its pipe must not fill up.
    this.process.stderr.resume();
  }

  async stop() {
    const ended = once(this.process, "exit");
    this.process.kill();
    await ended;
  }

  /** Runs a command of the command line to its end, and returns what it prints. */
  run(...args) {
    return execFileSync(this.binary, args, { cwd: this.folder, env: {}, encoding: "utf8" });
  }

  /** Stores easy puzzles. */
  stock(count, kind = "sudoku") {
    this.run("enqueue", "--kind", kind, "--variant", "4x4", "--level", "easy", "--count", `${count}`, "--watch", "--address", `http://${this.address}`);
  }

  /** Writes an access file with a principal of each name. The words after a name are its role and its right to solutions. */
  principals(roles, quotas = "") {
    const entries = Object.entries(roles).map(([name, words]) => {
      const [token, , ...entry] = this.run("token", "new", "--principal", name).split("\n");
      this.tokens[name] = token;
      const [role, ...rights] = words.split(" ");
      return `[[principal]]\nname = "${name}"\nrole = "${role}"\nsolutions = ${rights.length > 0}\n${entry.join("\n")}`;
    });
    fs.writeFileSync(path.join(this.folder, "access.toml"), [...entries, quotas].join("\n"));
  }

  /** Gives a principal another role. */
  giveRole(name, role) {
    const file = path.join(this.folder, "access.toml");
    const access = fs.readFileSync(file, "utf8");
    fs.writeFileSync(file, access.replace(new RegExp(`(name = "${name}"\nrole = )"[a-z]*"`), `$1"${role}"`));
    this.process.kill("SIGHUP");
  }

  /** Sends a request to a method. */
  begin(method, message) {
    const authorization = this.tokens.admin && { authorization: `Bearer ${this.tokens.admin}` };
    const headers = { "content-type": "application/json", connection: "close", ...authorization };
    const request = http.request(`http://${this.address}/puzzled.v1.${method}`, { method: "POST", headers, agent: false });
    request.end(JSON.stringify(message));
    return request;
  }

  /** What a method answers. */
  async call(method, message = {}) {
    const [answer] = await once(this.begin(method, message), "response");
    const value = JSON.parse(Buffer.concat(await answer.toArray()));
    if (answer.statusCode !== 200) throw new Error(`${method}: ${value.message}`);
    return value;
  }
}

module.exports = { Server };
