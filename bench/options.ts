import { parseArgs } from 'node:util';

export const PHASES = [
  'ingest',
  'traffic',
  'sustained',
  'grouping',
  'sandbox',
  'python',
  'scoring',
  'reading',
  'starting',
  'fairness',
  'memory',
  'datasets',
  'growth',
  'volume',
  'trends',
  'console',
] as const;
export type Phase = (typeof PHASES)[number];

/** They load a million rows each. All but the first are left out unless they are asked for, with `--quick` that too. */
const LONG: readonly Phase[] = ['growth', 'volume', 'trends', 'console', 'fairness'];

export interface Options {
  readonly phases: readonly Phase[];
  readonly rounds: number;
  /** Length of one measured stretch of ingest. */
  readonly sliceMs: number;
  /** Rows of the stream that is read. */
  readonly streamRows: number;
  /** Rows that the phases on growth, volume, trends and the console work on. */
  readonly volumeRows: number;
  /** Rows of the datasets that are read and edited. */
  readonly datasetRows: number;
  /** Where the results are written as JSON. */
  readonly json: string | undefined;
  /** Whether the figures go into docs/performance.md. */
  readonly write: boolean;
}

/** Throws an Error with a readable message. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean' },
      all: { type: 'boolean' },
      only: { type: 'string' },
      rounds: { type: 'string' },
      json: { type: 'string' },
      rows: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const wanted =
    values.only?.split(',') ?? (values.all ? PHASES : PHASES.filter((phase) => !LONG.includes(phase, values.quick ? 0 : 1)));
  const unknown = wanted.filter((name) => !PHASES.some((phase) => phase === name));
  if (unknown.length > 0) throw new Error(`--only ${unknown.join(',')}: phases are ${PHASES.join(', ')}`);
  const rounds = Number(values.rounds ?? (values.quick ? 5 : 9));
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 50) throw new Error('--rounds takes a number from 1 to 50');
  return {
    phases: PHASES.filter((phase) => wanted.includes(phase)),
    rounds,
    sliceMs: values.quick ? 1_000 : 3_000,
    streamRows: values.quick ? 50_000 : 200_000,
    volumeRows: Number(values.rows ?? 1_000_000),
    datasetRows: values.quick ? 20_000 : 200_000,
    json: values.json,
    write: values.write,
  };
}
