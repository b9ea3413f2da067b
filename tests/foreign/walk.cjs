// Calls a server with connect-es over the Connect protocol: unary calls, a stream, and an error with its details. Prints one line
// for each. Arguments: the folder with the packages, the file of descriptors, the address.
const { createRequire } = require("node:module");
const { readFileSync } = require("node:fs");

const [folder, descriptors, address] = process.argv.slice(2);
const load = createRequire(`${folder}/package.json`);
const { createFileRegistry, fromBinary } = load("@bufbuild/protobuf");
const { FileDescriptorSetSchema } = load("@bufbuild/protobuf/wkt");
const { createClient } = load("@connectrpc/connect");
const { createConnectTransport } = load("@connectrpc/connect-node");

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(descriptors)));
const service = (name) => registry.getService(`puzzled.v1.${name}`);

async function walk(httpVersion, useBinaryFormat) {
  const form = `HTTP/${httpVersion} ${useBinaryFormat ? "proto" : "json"}`;
  const transport = createConnectTransport({ baseUrl: `http://${address}`, httpVersion, useBinaryFormat });
  const puzzles = createClient(service("PuzzleService"), transport);
  const jobs = createClient(service("JobService"), transport);
  const { job } = await puzzles.generate({ kind: 1, level: 1, count: 2, requestId: form }, { timeoutMs: 60_000 });
  let last;
  for await (const { job: next } of jobs.watchJob({ id: job.id })) last = next;
  console.log(`${form}: watched ${last.made} of ${last.wanted}`);
  const { puzzle } = await puzzles.getPuzzle({ kind: 1, level: 1, includeStructure: true, includeSolution: true });
  const cells = (board) => board.flatMap((row) => row.cells);
  const isSolved = cells(puzzle.solutionBoard).join("") === puzzle.solution;
  console.log(`${form}: got a board of ${cells(puzzle.board).length} cells${isSolved ? ", and its solution" : ""}`);
  try {
    await jobs.getJob({ id: "job-999" });
  } catch (error) {
    const [info] = error.details;
    console.log(`${form}: ${error.code} ${info.type} ${info.debug.reason}`);
  }
}

(async () => {
  for (const version of ["1.1", "2"]) for (const binary of [false, true]) await walk(version, binary);
})();
