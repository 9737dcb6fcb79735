import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { toPage } from './page.ts';
import { PARTS } from './parts.ts';
import { type Circumstances, Proven, runPart } from './run-part.ts';

const JSON_FILE = 'docs/proof.json';

/** Runs the proof of each promise, or of those named, and writes down what came of it. Ends with 1 when one does not hold. */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } });
const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: the parts are ${PARTS.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
const OURS = ['docs/proof.md', JSON_FILE, 'docs/performance.md', 'docs/performance.json'];
/** Files that the proofs themselves write do not count. */
const changed = git('status', '--porcelain', '--', '.', ...OURS.map((file) => `:!${file}`));
const circumstances: Circumstances = {
  commit: git('rev-parse', '--short', 'HEAD'),
  is_dirty: changed !== '',
  date: new Date().toISOString(),
  machine: `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`,
};
let kept = readKept();
for (const part of PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  console.log(`proving ${part.name} …`);
  const proven = await runPart(part, values.quick, { ...circumstances, date: new Date().toISOString() });
  for (const line of proven.figures) console.log(`  ${line}`);
  console.log(`  ${proven.passed} passed, ${proven.failed.length} failed, ${proven.seconds} s`);
  if (proven.failed.length > 0) process.exitCode = 1;
  kept = PARTS.flatMap(({ name }) => (name === part.name ? proven : (kept.find((one) => one.part === name) ?? [])));
  writeFileSync(JSON_FILE, `${JSON.stringify(kept, null, 2)}\n`);
  writeFileSync('docs/proof.md', toPage(kept));
}
console.log(`wrote docs/proof.md and ${JSON_FILE}`);

/** Parts that were proven before stay until they are proven again. */
function readKept(): Proven[] {
  return existsSync(JSON_FILE) ? z.array(Proven).parse(JSON.parse(readFileSync(JSON_FILE, 'utf8'))) : [];
}
