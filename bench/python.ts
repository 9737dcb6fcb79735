import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DEFAULT_SANDBOX_SETTINGS, ForkedSandbox } from '../adapters/sandbox/forked-sandbox.ts';
import { residentMb } from '../adapters/sandbox/process-wall.ts';
import { getChildren } from '../test/setup/child-processes.ts';
import { log } from './bench-service.ts';
import { inRounds } from './interruption.ts';
import type { Measured } from './report.ts';
import { rate, SOURCE, toRecords } from './scoring.ts';

const BATCH = 1_000;
const SMALL_BATCH = 50;
const STARTS = 3;
const USE = { project_id: 'bench', scorer_id: 'bench' };
const languages = [
  { id: 'javascript', extension: '.js' },
  { id: 'python', extension: '.py', engine: 'python' as const },
];

/** The same in Python as the program of the other phases does in JavaScript. */
export const PYTHON_SOURCE = `import re

def scorer(record):
    words = re.split("[^a-z]+", record["output"].lower())
    return len({word for word in words if word}) / len(words)
`;

/** Scores for so many seconds, and prints how many a second. */
const NATIVE = `${PYTHON_SOURCE}
import json, sys, time

texts, seconds = json.load(open(sys.argv[1])), float(sys.argv[2])
began, scored = time.perf_counter(), 0
while time.perf_counter() - began < seconds:
    for text in texts:
        scorer(json.loads(text))
    scored += len(texts)
print(scored / (time.perf_counter() - began))
`;

/** Scores of Python in the sandbox against JavaScript there and against the same function in the machine's own python3; start and memory. */
export async function measurePython(rounds: number, sliceMs: number): Promise<Measured[]> {
  const records = toRecords();
  const native = await nativePython(records);
  const sandbox = new ForkedSandbox({ settings: DEFAULT_SANDBOX_SETTINGS, languages, log });
  const inside = (language: 'javascript' | 'python') => async (batch: readonly string[]) => {
    const source = language === 'python' ? PYTHON_SOURCE : SOURCE;
    const outcomes = await sandbox.run({ language, source }, batch, USE);
    if (outcomes.some(({ kind }) => kind !== 'returned')) throw new Error(JSON.stringify(outcomes[0]));
  };
  const measure = async () => ({
    native: await native?.rate(sliceMs),
    python: await rate(records, BATCH, 1, sliceMs, inside('python')),
    small: await rate(records, SMALL_BATCH, 1, sliceMs, inside('python')),
    javascript: await rate(records, BATCH, 1, sliceMs, inside('javascript')),
  });
  try {
    await measure();
    const done = await inRounds(rounds, measure);
    const ours = done.map(({ python }) => python);
    const unit = 'scores/s';
    const small = done.map((one) => one.small);
    const javascript = { name: 'JavaScript sandbox', values: done.map((one) => one.javascript) };
    const machine = { name: `native ${native?.version}`, values: done.map((one) => one.native ?? Number.NaN) };
    const target = { better: 'higher', reach: 0.5, aim: 0.7 } as const;
    if (!native) console.error('there is no python3 on this machine: Python is not compared with it');
    return [
      ...(native ? [{ name: `Python sandbox, ${BATCH} records a call`, unit, ours, against: machine, target }] : []),
      { name: `Python sandbox, ${BATCH} records a call`, unit, ours, against: javascript },
      { name: `Python sandbox, ${SMALL_BATCH} records a call`, unit, ours: small, against: javascript },
      ...(await measureProcesses()),
    ];
  } finally {
    await native?.close();
    await sandbox.close();
  }
}

/** The machine's own Python with the records in a file; undefined where there is none. */
async function nativePython(records: readonly string[]) {
  const run = promisify(execFile);
  const version = await run('python3', ['--version']).catch(() => undefined);
  if (!version) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-python-'));
  const [script, texts] = [join(folder, 'native.py'), join(folder, 'records.json')];
  await writeFile(script, NATIVE);
  await writeFile(texts, JSON.stringify(records));
  return {
    version: version.stdout.trim(),
    rate: async (forMs: number): Promise<number> => Number((await run('python3', [script, texts, String(forMs / 1000)])).stdout),
    close: () => rm(folder, { recursive: true }),
  };
}

/** How long the first score of a service takes, and the memory of its process. */
async function measureProcesses(): Promise<Measured[]> {
  const records = toRecords();
  const [starts, rests, peaks]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < STARTS; at += 1) {
    const before = new Set(getChildren(process.pid));
    const resident = () => getChildren(process.pid).map((pid) => (before.has(pid) ? 0 : (residentMb(pid) ?? 0)));
    const sandbox = new ForkedSandbox({ settings: { ...DEFAULT_SANDBOX_SETTINGS, children: 1 }, languages, log });
    const began = performance.now();
    await sandbox.run({ language: 'python', source: PYTHON_SOURCE }, records.slice(0, 1), USE);
    starts.push(performance.now() - began);
    rests.push(Math.max(0, ...resident()));
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, ...resident());
    }, 10);
    const batch = Array.from({ length: BATCH }, (_, index) => records[index % records.length]!);
    for (let call = 0; call < 5; call += 1) await sandbox.run({ language: 'python', source: PYTHON_SOURCE }, batch, USE);
    clearInterval(watch);
    peaks.push(peak);
    await sandbox.close();
  }
  return [
    { name: 'first score in Python, its process not started', unit: 'ms', ours: starts },
    { name: 'memory of a process of Python at rest', unit: 'MB', ours: rests },
    { name: 'memory of a process of Python, at most', unit: 'MB', ours: peaks },
  ];
}
