import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { toRowName } from '../access/row.ts';
import { requestsAt } from './arbitraries.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { Range } from './target.ts';

const CORPUS = join(import.meta.dirname, 'corpus');

/** A request that once went wrong. */
export interface Kept {
  /** The row of the access matrix. */
  readonly row: string;
  readonly fuzzRequest: FuzzRequest;
  readonly problem: string;
}

export interface FuzzReport {
  readonly seed: number;
  readonly replayed: number;
  readonly operations: number;
  readonly fuzzRequests: number;
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
  readonly requestsEach?: number;
  /** Writes what is found into the corpus. */
  readonly keep: boolean;
  /** Whether what once went wrong comes first. */
  readonly replay?: boolean;
}

/** Replays the corpus, then shoots at every operation in turn, as long as the time lasts and at least once at each. */
export async function runFuzz(
  range: Range,
  { seed, forMs, requestsEach = 100_000, keep, replay = true }: FuzzSettings,
): Promise<FuzzReport> {
  const counts = { fuzzRequests: 0, accepted: 0, refused: 0, unavailable: 0 };
  const corpus = replay ? readCorpus() : [];
  const failures: Kept[] = [];
  for (const { row: name, fuzzRequest } of corpus) {
    const row = range.rows.find((one) => toRowName(one) === name);
    if (!row) throw new Error(`the corpus has a fuzzRequest at ${name}, which is no row of the access matrix`);
    const { problems } = await (await range.aim(row)).shoot(fuzzRequest);
    failures.push(...problems.map((problem) => ({ row: name, fuzzRequest, problem })));
  }
  const deadline = performance.now() + forMs;
  for (const [index, row] of range.rows.entries()) {
    const target = await range.aim(row);
    const share = Math.max((deadline - performance.now()) / (range.rows.length - index), 50);
    const found = await shootAt(
      { share, requestsEach, seed: seed + index },
      requestsAt(target.operation, range.document),
      async (fuzzRequest) => {
        const { status, problems } = await target.shoot(fuzzRequest);
        counts.fuzzRequests += 1;
        counts[status < 400 ? 'accepted' : status === 503 ? 'unavailable' : 'refused'] += 1;
        return problems;
      },
    );
    if (found) failures.push({ row: toRowName(row), ...found });
  }
  if (keep) for (const failure of failures) keepFailure(failure);
  return { seed, replayed: corpus.length, operations: range.rows.length, ...counts, failures };
}

/** Resolves to the smallest request that goes wrong; undefined when none did in time. */
async function shootAt(
  { share, requestsEach, seed }: { readonly share: number; readonly requestsEach: number; readonly seed: number },
  fuzzRequests: fc.Arbitrary<FuzzRequest>,
  shoot: (fuzzRequest: FuzzRequest) => Promise<string[]>,
): Promise<{ fuzzRequest: FuzzRequest; problem: string } | undefined> {
  const property = fc.asyncProperty(fuzzRequests, async (fuzzRequest) => {
    const problems = await shoot(fuzzRequest);
    if (problems.length > 0) throw new Error(problems.join('; '));
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: requestsEach,
    interruptAfterTimeLimit: share,
    // A shrink may go on while the time lasts.
    endOnFailure: false,
  });
  if (!failed || !counterexample) return undefined;
  return {
    fuzzRequest: counterexample[0],
    problem: errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
  };
}

function readCorpus(): Kept[] {
  return readdirSync(CORPUS)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(CORPUS, name), 'utf8')) as Kept);
}

function keepFailure(failure: Kept): void {
  const name = `${failure.row}-${failure.fuzzRequest.kind}`.replaceAll(/\W+/g, '-').toLowerCase();
  writeFileSync(join(CORPUS, `${name}.json`), `${JSON.stringify(failure, null, 2)}\n`);
}
