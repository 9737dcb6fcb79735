import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { nameOf } from '../access/row.ts';
import { shotsAt } from './arbitraries.ts';
import type { Shot } from './shot.ts';
import type { Range } from './target.ts';

const CORPUS = join(import.meta.dirname, 'corpus');

/** A shot that once went wrong. */
export interface Kept {
  /** The row of the access matrix. */
  readonly row: string;
  readonly shot: Shot;
  readonly problem: string;
}

export interface FuzzReport {
  readonly seed: number;
  readonly replayed: number;
  readonly operations: number;
  readonly shots: number;
  /** Answers by class of status. */
  readonly accepted: number;
  readonly refused: number;
  readonly unavailable: number;
  readonly failures: readonly Kept[];
}

export interface FuzzSettings {
  readonly seed: number;
  readonly forMs: number;
  /** Shots at each operation, at most. */
  readonly shotsEach?: number;
  /** Writes what is found into the corpus. */
  readonly keep: boolean;
  /** Whether what once went wrong comes first. */
  readonly replay?: boolean;
}

/** Replays the corpus, then shoots at every operation in turn, as long as the time lasts and at least once at each. */
export async function runFuzz(
  range: Range,
  { seed, forMs, shotsEach = 100_000, keep, replay = true }: FuzzSettings,
): Promise<FuzzReport> {
  const counts = { shots: 0, accepted: 0, refused: 0, unavailable: 0 };
  const corpus = replay ? readCorpus() : [];
  const failures: Kept[] = [];
  for (const { row: name, shot } of corpus) {
    const row = range.rows.find((one) => nameOf(one) === name);
    if (!row) throw new Error(`the corpus has a shot at ${name}, which is no row of the access matrix`);
    const { problems } = await (await range.aim(row)).shoot(shot);
    failures.push(...problems.map((problem) => ({ row: name, shot, problem })));
  }
  const deadline = performance.now() + forMs;
  for (const [index, row] of range.rows.entries()) {
    const target = await range.aim(row);
    const share = Math.max((deadline - performance.now()) / (range.rows.length - index), 50);
    const found = await shootAt(
      { share, shotsEach, seed: seed + index },
      shotsAt(target.operation, range.document),
      async (shot) => {
        const { status, problems } = await target.shoot(shot);
        counts.shots += 1;
        counts[status < 400 ? 'accepted' : status === 503 ? 'unavailable' : 'refused'] += 1;
        return problems;
      },
    );
    if (found) failures.push({ row: nameOf(row), ...found });
  }
  if (keep) for (const failure of failures) keepFailure(failure);
  return { seed, replayed: corpus.length, operations: range.rows.length, ...counts, failures };
}

/** Resolves to the smallest shot that goes wrong; undefined when none did in time. */
async function shootAt(
  { share, shotsEach, seed }: { readonly share: number; readonly shotsEach: number; readonly seed: number },
  shots: fc.Arbitrary<Shot>,
  shoot: (shot: Shot) => Promise<string[]>,
): Promise<{ shot: Shot; problem: string } | undefined> {
  const property = fc.asyncProperty(shots, async (shot) => {
    const problems = await shoot(shot);
    if (problems.length > 0) throw new Error(problems.join('; '));
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: shotsEach,
    interruptAfterTimeLimit: share,
    // A shrink may go on while the time lasts.
    endOnFailure: false,
  });
  if (!failed || !counterexample) return undefined;
  return { shot: counterexample[0], problem: errorInstance instanceof Error ? errorInstance.message : String(errorInstance) };
}

function readCorpus(): Kept[] {
  return readdirSync(CORPUS)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(CORPUS, name), 'utf8')) as Kept);
}

function keepFailure(failure: Kept): void {
  const name = `${failure.row}-${failure.shot.kind}`.replaceAll(/\W+/g, '-').toLowerCase();
  writeFileSync(join(CORPUS, `${name}.json`), `${JSON.stringify(failure, null, 2)}\n`);
}
