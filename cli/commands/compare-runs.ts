import { CommandError } from './command-error.ts';
import { findExperiment, findProject, findScorer } from './places.ts';
import type { ServiceClient } from './service-client.ts';
import { toLine, toTable } from './terminal.ts';

export interface RunComparisonOptions {
  readonly project: string;
  /** Names or ids; each run is read with each of them. */
  readonly scorer: readonly string[];
  readonly outputType?: string;
  readonly test?: string;
  readonly allPairs: boolean;
}

interface ComparedRun {
  readonly run_name: string;
  readonly scorer_name: string;
  readonly scorer_version_number: number | null;
  readonly rows: number;
  readonly failed_rows: number;
  readonly health: {
    readonly health_score_type: string | null;
    readonly value: number | null;
    readonly interval: Interval | null;
  };
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

interface RunPair {
  readonly run: number;
  readonly against: number;
  readonly rows: number;
  readonly difference: number | null;
  readonly interval: Interval | null;
  readonly better_rows: number;
  readonly worse_rows: number;
  readonly test: { readonly method: string; readonly p_value: number };
  readonly adjusted_p_value: number;
  readonly verdict: 'better' | 'worse' | 'no_difference_shown' | 'too_few_rows';
}

export interface RunComparison {
  readonly agreement: string;
  readonly lower_is_better: boolean;
  readonly runs: readonly ComparedRun[];
  readonly comparisons: readonly RunPair[];
  readonly warnings: readonly { readonly message: string }[];
}

/** Compares runs by their agreement with the ground truth of the dataset; the first run is the baseline. */
export async function compareRuns(
  client: ServiceClient,
  named: readonly string[],
  { project, scorer, outputType, test, allPairs }: RunComparisonOptions,
): Promise<RunComparison> {
  if (scorer.length === 0) throw new CommandError('--scorer is missing');
  if (named.length * scorer.length < 2) throw new CommandError('two runs are needed, or two scorers');
  const project_id = await findProject(client, project);
  const runs: object[] = [];
  const scorer_ids: string[] = [];
  for (const one of scorer) scorer_ids.push(await findScorer(client, one));
  for (const name of named) {
    const run_id = await findExperiment(client, project_id, name);
    runs.push(...scorer_ids.map((scorer_id) => ({ run_id, scorer_id })));
  }
  return client.call('POST', `/v2/projects/${project_id}/metrics-testing/compare`, {
    json: { runs, output_type: outputType ?? null, test: test ?? null, baseline: allPairs ? null : 0, limit: 1 },
  });
}

/** Whether a run is worse than the first one beyond chance. */
export const hasWorse = ({ comparisons }: RunComparison): boolean =>
  comparisons.some(({ against, verdict }) => against === 0 && verdict === 'worse');

export function describeRunComparison({ agreement, lower_is_better, runs, comparisons, warnings }: RunComparison): string {
  const toName = ({ run_name, scorer_name, scorer_version_number }: ComparedRun): string =>
    toLine(`${run_name} by ${scorer_name}${scorer_version_number === null ? '' : ` ${scorer_version_number}`}`, 60);
  const ofRuns = runs.map((run, at) => [
    String(at),
    toName(run),
    String(run.rows),
    String(run.failed_rows),
    run.health.health_score_type ?? '',
    shorten(run.health.value),
    toRange(run.health.interval),
  ]);
  const ofPairs = comparisons.map((pair) => [
    `${pair.run} beside ${pair.against}`,
    String(pair.rows),
    shorten(pair.difference),
    toRange(pair.interval),
    `${pair.better_rows} better, ${pair.worse_rows} worse`,
    shorten(pair.test.p_value),
    shorten(pair.adjusted_p_value),
    pair.verdict.replaceAll('_', ' '),
  ]);
  return [
    toTable([['', 'run', 'rows', 'failed', 'health', '', 'interval'], ...ofRuns]),
    `difference in ${agreement.replaceAll('_', ' ')}${lower_is_better ? ' (lower is better)' : ''}, by ${comparisons[0]?.test.method.replaceAll('_', ' ')}`,
    toTable([['', 'rows', 'difference', 'interval', 'rows that differ', 'p', 'p (Holm)', 'verdict'], ...ofPairs]),
    ...warnings.map(({ message }) => `warning: ${toLine(message, 500)}`),
  ].join('\n');
}

const shorten = (value: number | null): string => (value === null ? '-' : String(Number(value.toPrecision(3))));
const toRange = (interval: Interval | null): string => (interval ? `${shorten(interval.low)} to ${shorten(interval.high)}` : '-');
