import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { type Proof, pageOf } from './page.ts';
import { PARTS } from './parts.ts';
import { type Proven, runPart } from './run-part.ts';

/** Runs the proof of each promise, or of those named, and writes down what came of it. Ends with 1 when one does not hold. */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } });
const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: the parts are ${PARTS.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

const parts: Proven[] = [];
for (const part of PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  console.log(`proving ${part.name} …`);
  const proven = await runPart(part, values.quick);
  for (const line of proven.figures) console.log(`  ${line}`);
  console.log(`  ${proven.passed} passed, ${proven.failed.length} failed, ${proven.seconds} s`);
  parts.push(proven);
}

const proof: Proof = {
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  date: new Date().toISOString(),
  machine: `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`,
  command: `npm run prove${process.argv.length > 2 ? ` -- ${process.argv.slice(2).join(' ')}` : ''}`,
  parts,
};
writeFileSync('docs/proof.json', `${JSON.stringify(proof, null, 2)}\n`);
writeFileSync('docs/proof.md', pageOf(proof));
console.log('wrote docs/proof.md and docs/proof.json');
if (parts.some(({ failed }) => failed.length > 0)) process.exitCode = 1;
