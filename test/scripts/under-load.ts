import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { computeCounts } from './test-results.ts';

const USAGE = 'npm run test:loaded -- [--times 10] [--load 8] [--minutes 60] <test file> …';

/**
 * Runs test files again and again while busy loops take the processors, each file by itself, and counts the runs in which
 * all was green. Ends with 1 when one was not. The loops end with the process, and after so many minutes in any case.
 */
const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '10' },
    load: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '60' },
  },
});
const [times, load, minutes] = [values.times, values.load, values.minutes].map(Number) as [number, number, number];
if (files.length === 0 || ![times, load, minutes].every((number) => number >= 0)) {
  console.error(USAGE);
  process.exit(1);
}

const until = Date.now() + minutes * 60_000;
const loops = Array.from({ length: load }, () => new Worker(new URL('busy-loop.ts', import.meta.url), { workerData: until }));
const folder = await mkdtemp(join(tmpdir(), 'touchstone-loaded-'));
const green = new Map(files.map((file) => [file, 0]));
let rounds = 0;
try {
  for (; rounds < times && Date.now() < until; rounds += 1)
    for (const file of files) if (await isGreen(file, rounds + 1)) green.set(file, green.get(file)! + 1);
} finally {
  await Promise.all(loops.map((loop) => loop.terminate()));
  await rm(folder, { recursive: true, force: true });
}
for (const [file, count] of green) console.log(`${file}: ${count}/${rounds} green`);
const all = [...green.values()].reduce((sum, count) => sum + count, 0);
console.log(`${all}/${rounds * files.length} green runs at ${load} busy loops`);
if (rounds < times) console.log(`stopped after ${rounds} of ${times} rounds: the time was up`);
process.exitCode = all === times * files.length ? 0 : 1;

/** Runs one file, and says what came of it. */
async function isGreen(file: string, round: number): Promise<boolean> {
  const report = join(folder, 'report.json');
  const began = performance.now();
  const args = ['node_modules/vitest/vitest.mjs', 'run', file, '--reporter=json', `--outputFile=${report}`];
  const code = await new Promise((done) => {
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore'] }).once('close', done);
  });
  const { passed, failed, skipped } = computeCounts(await readFile(report, 'utf8').catch(() => ''));
  await rm(report, { force: true });
  const isGood = code === 0 && failed.length === 0 && passed > 0;
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `${round} ${file}: ${isGood ? 'green' : 'RED'}, ${passed} passed, ${failed.length} failed, ${skipped.length} skipped, ${seconds} s, load ${loadavg()[0]!.toFixed(1)}`,
  );
  for (const { name, message } of failed) console.log(`  ${name}: ${message}`);
  return isGood;
}
