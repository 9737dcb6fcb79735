import { runInThisContext } from 'node:vm';
import { DEFAULT_SANDBOX_SETTINGS, ForkedSandbox } from '../adapters/sandbox/forked-sandbox.ts';
import { log } from './bench-service.ts';
import { inRounds } from './interruption.ts';
import type { Measured } from './report.ts';
import { textFrom } from './traces.ts';

/** As a job brings them at most, see the scoring service. */
const BATCH = 500;
/** As scoring a long stretch of records again would hand them over. */
const LARGE_BATCH = 10_000;
const SMALL_BATCH = 50;
const DIFFERENT_RECORDS = 500;

/** Splits an answer into words and returns how many of them are different: about 12 us. */
export const SOURCE = `function scorer(record) {
  const words = record.output.toLowerCase().split(/[^a-z]+/);
  const seen = new Set();
  for (const word of words) if (word.length > 0) seen.add(word);
  return seen.size / words.length;
}`;
const USE = { project_id: 'bench', scorer_id: 'bench' };
const languages = [{ id: 'javascript', extension: '.js' }];
const PROGRAM = { language: 'javascript', source: SOURCE } as const;

/** Scores of the sandbox against the same function called on the same texts without any walls. */
export async function measureScoring(rounds: number, sliceMs: number): Promise<Measured[]> {
  const records = toRecords();
  const sandbox = new ForkedSandbox({ settings: DEFAULT_SANDBOX_SETTINGS, languages, log });
  const native = runInThisContext(`${SOURCE}; scorer`) as (record: unknown) => number;
  const inside = async (batch: readonly string[]): Promise<void> => {
    const outcomes = await sandbox.run(PROGRAM, batch, USE);
    if (outcomes.some(({ kind }) => kind !== 'returned')) throw new Error(JSON.stringify(outcomes[0]));
  };
  const outside = async (batch: readonly string[]): Promise<void> => {
    for (const text of batch) native(JSON.parse(text));
  };
  const forMs = sliceMs / 2;
  const measure = async () => ({
    native: await rate(records, BATCH, 1, forMs, outside),
    large: await rate(records, LARGE_BATCH, 1, forMs, inside),
    batches: await rate(records, BATCH, 1, forMs, inside),
    small: await rate(records, SMALL_BATCH, 1, forMs, inside),
    single: await rate(records, 1, 1, forMs, inside),
  });
  try {
    await measure();
    const done = await inRounds(rounds, measure);
    const against = { name: 'native', values: done.map(({ native }) => native) };
    const unit = 'scores/s';
    return [
      {
        name: 'sandbox, 10,000 records a call',
        unit,
        ours: done.map(({ large }) => large),
        against,
        target: { better: 'higher', reach: 0.5, aim: 0.7 },
      },
      { name: `sandbox, ${BATCH} records a call`, unit, ours: done.map(({ batches }) => batches), against },
      { name: `sandbox, ${SMALL_BATCH} records a call`, unit, ours: done.map(({ small }) => small), against },
      { name: 'sandbox, 1 record a call', unit, ours: done.map(({ single }) => single), against },
    ];
  } finally {
    await sandbox.close();
  }
}

/** Scores a second of the sandbox, with as many records a call as a job brings at most. */
export async function sandboxAlone(forMs: number): Promise<number> {
  const sandbox = new ForkedSandbox({ settings: DEFAULT_SANDBOX_SETTINGS, languages, log });
  try {
    const records = toRecords();
    const score: Score = async (batch) => void (await sandbox.run(PROGRAM, batch, USE));
    // Its processes start with the first calls.
    await rate(records, BATCH, 1, forMs / 2, score);
    return await rate(records, BATCH, 1, forMs, score);
  } finally {
    await sandbox.close();
  }
}

type Score = (batch: readonly string[]) => Promise<void>;

export async function rate(
  records: readonly string[],
  size: number,
  callers: number,
  forMs: number,
  score: Score,
): Promise<number> {
  let scored = 0;
  const began = performance.now();
  const call = async (): Promise<void> => {
    while (performance.now() - began < forMs) {
      const start = scored;
      scored += size;
      await score(Array.from({ length: size }, (_, at) => records[(start + at) % records.length]!));
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (scored / (performance.now() - began)) * 1000;
}

/** JSON texts of 3.5 KB. */
export function toRecords(): string[] {
  const text = textFrom(7);
  return Array.from({ length: DIFFERENT_RECORDS }, (_, index) =>
    JSON.stringify({
      id: `record-${index}`,
      type: 'llm',
      input: text(2_700),
      output: text(700),
      metrics: { duration_ns: index },
    }),
  );
}
