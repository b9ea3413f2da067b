// Queues a job, watches it, and gets its puzzles. Prints the same lines as the other examples, and the board of a puzzle.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { DescEnum } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import { Kind, KindSchema } from "./gen/puzzled/v1/common_pb.js";
import { type Job, JobService, JobState, JobStateSchema } from "./gen/puzzled/v1/job_pb.js";
import { PuzzleService } from "./gen/puzzled/v1/puzzle_pb.js";

const token = process.env.PUZZLED_TOKEN;
const withToken: Interceptor = (next) => (request) => {
  if (token) request.header.set("authorization", `Bearer ${token}`);
  return next(request);
};
const transport = createGrpcTransport({
  baseUrl: `http://${process.env.PUZZLED_ADDRESS ?? "127.0.0.1:50051"}`,
  interceptors: [withToken],
});
const puzzles = createClient(PuzzleService, transport);
const jobs = createClient(JobService, transport);

const name = (schema: DescEnum, value: number) => schema.value[value]?.name;
const isCode = (error: unknown, ...codes: Code[]) => codes.includes(ConnectError.from(error).code);

// Makes a call that is safe to repeat: it only reads, or has a request ID.
async function repeat<T>(call: () => Promise<T>): Promise<T> {
  for (const delayMs of [500, 1000, 2000, 4000]) {
    try {
      return await call();
    } catch (error) {
      if (!isCode(error, Code.Unavailable, Code.DeadlineExceeded)) throw error;
    }
    await sleep(delayMs);
  }
  return call();
}

// Watches the job to its end. A stream may break at any time; the next one begins with the job as it is then.
async function watch(job: Job): Promise<Job> {
  while ([JobState.QUEUED, JobState.RUNNING].includes(job.state)) {
    try {
      for await (const change of jobs.watchJob({ id: job.id })) job = change.job!;
    } catch (error) {
      if (!isCode(error, Code.Unavailable)) throw error;
      await sleep(500);
    }
  }
  return job;
}

const generate = { kind: Kind.SUDOKU, count: 30, requestId: crypto.randomUUID() };
const queue = async () => (await repeat(() => puzzles.generate(generate, { timeoutMs: 5000 }))).job!;
const [queued, again] = [await queue(), await queue()];
assert.equal(again.id, queued.id);
console.log("queued 30 puzzles, and the repeat returned the same job");
const job = await watch(queued);
console.log(`job ended with ${name(JobStateSchema, job.state)}, ${job.made} of ${job.wanted} puzzles`);
const named = { audience: "reader-1", requestId: crypto.randomUUID() };
const ask = { kind: Kind.SUDOKU, wait: true, includeStructure: true, ...named };
const get = async () => (await repeat(() => puzzles.getPuzzle(ask, { timeoutMs: 10_000 }))).puzzle!;
const [puzzle, same] = [await get(), await get()];
assert.equal(same.id, puzzle.id);
console.log(`delivered a Sudoku of ${puzzle.text.length} characters, and the repeat returned the same puzzle`);
// An empty cell is 0. In other kinds, a block is -1.
for (const { cells } of puzzle.board) console.log(cells.map((cell) => (cell < 0 ? "#" : cell || ".")).join(" "));

// Without `wait`, an empty stock is an error, whose details say when to repeat the call.
const hasNone = { kind: Kind.KAKURO, audience: "reader-1", enqueueIfShort: true, requestId: crypto.randomUUID() };
const error = await puzzles.getPuzzle(hasNone, { timeoutMs: 5000 }).then(() => undefined, ConnectError.from);
if (error) {
  const [info, retry] = [error.findDetails(ErrorInfoSchema)[0], error.findDetails(RetryInfoSchema)[0]];
  if (info.metadata.job) console.log(`no Kakuro in stock: ${info.reason}, a job was queued`);
  await sleep(Number(retry.retryDelay!.seconds) * 1000);
}
const kakuro = (await repeat(() => puzzles.getPuzzle(hasNone, { timeoutMs: 5000 }))).puzzle!;
console.log(`delivered a ${name(KindSchema, kakuro.kind)} after the delay`);
let [pages, listed, pageToken] = [0, 0, ""];
do {
  const page = await repeat(() => puzzles.listPuzzles({ kind: Kind.SUDOKU, pageSize: 12, pageToken }));
  [pages, listed, pageToken] = [pages + 1, listed + page.puzzles.length, page.nextPageToken];
} while (pageToken);
console.log(`listed ${listed} puzzles on ${pages} pages`);
