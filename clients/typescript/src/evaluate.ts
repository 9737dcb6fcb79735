import type { Datasets } from './datasets.ts';
import { drawProgress } from './progress-bar.ts';
import { type Api, dataOf } from './service.ts';
import { toText } from './tracing.ts';

/** Returns a number, or whether the answer is good; by its name unless it has none of its own. */
export type Scorer<Row, Output> = (given: { row: Row; output: Output }) => number | boolean | Promise<number | boolean>;

export interface EvaluationOptions<Row, Output> {
  /** Name of a dataset. */
  readonly dataset: string;
  readonly task: (row: Row) => Output | Promise<Output>;
  /** By the names that their metrics get. */
  readonly scorers?: Readonly<Record<string, Scorer<Row, Output>>>;
  readonly name?: string;
  /** Rows at once. Eight unless given. */
  readonly parallel?: number;
  /** Told in place of the bar that a terminal shows on standard error. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Evaluation {
  readonly experimentId: string;
  /** Of the experiment in the console. */
  readonly url: string;
  readonly rows: number;
  /** Rows whose task or scorer threw. */
  readonly failed: number;
  /** Mean of each scorer over the rows that it judged. */
  readonly means: Readonly<Record<string, number>>;
}

interface Surroundings {
  readonly api: Api;
  readonly url: string;
  readonly project_id: string;
  readonly datasets: Datasets;
}

interface Outcome {
  readonly trace: Record<string, unknown>;
  readonly scores: Readonly<Record<string, number>>;
  readonly failed: boolean;
}

const BATCH = 50;

export async function evaluate<Row, Output>(
  options: EvaluationOptions<Row, Output>,
  { api, url, project_id, datasets }: Surroundings,
): Promise<Evaluation> {
  const { id: dataset_id, current_version_index } = await datasets.get(options.dataset);
  const rows = [];
  for await (const row of datasets.rows<Row>(dataset_id)) rows.push(row);
  const params = { path: { project_id } };
  const name = options.name ?? `${options.dataset}, ${new Date().toISOString()}`;
  const dataset = { dataset_id, version_index: current_version_index };
  const { id } = await dataOf(api.POST('/v2/projects/{project_id}/experiments', { params, body: { name, dataset } }));
  const tell = options.onProgress ?? drawProgress;
  const outcomes: Outcome[] = [];
  let sent = 0;
  const send = async (least: number): Promise<void> => {
    if (outcomes.length - sent < least || outcomes.length === sent) return;
    const traces = outcomes.slice(sent).map(({ trace }) => trace);
    sent = outcomes.length;
    await dataOf(api.POST('/v2/projects/{project_id}/traces', { params, body: { experiment_id: id, traces } }));
  };
  const waiting = rows.values();
  const work = async () => {
    for (const row of waiting) {
      outcomes.push(await runRow(options, row.id, row.values));
      tell(outcomes.length, rows.length);
      await send(BATCH);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.parallel ?? 8, rows.length) }, work));
  await send(1);
  const failed = outcomes.filter((outcome) => outcome.failed).length;
  const means = computeMeans(outcomes.map(({ scores }) => scores));
  return { experimentId: id, url: `${url}/#/projects/${project_id}/experiments/${id}`, rows: rows.length, failed, means };
}

async function runRow<Row, Output>(
  { task, scorers = {} }: EvaluationOptions<Row, Output>,
  row_id: string,
  row: Row,
): Promise<Outcome> {
  const started = Date.now();
  const scores: Record<string, number> = {};
  const { input, output: expected } = Object(row) as { input?: unknown; output?: unknown };
  const asked = toText(input ?? row);
  const trace = {
    id: crypto.randomUUID(),
    name: 'row',
    input: asked,
    created_at: new Date(started).toISOString(),
    dataset_input: asked,
    ...(expected !== undefined && { dataset_output: toText(expected) }),
    dataset_metadata: { dataset_row_id: row_id },
  };
  let said = '';
  try {
    const output = await task(row);
    said = toText(output);
    const duration_ns = (Date.now() - started) * 1_000_000;
    for (const [name, scorer] of Object.entries(scorers)) scores[name] = Number(await scorer({ row, output }));
    return { trace: { ...trace, output: said, status_code: 200, metrics: { duration_ns, ...scores } }, scores, failed: false };
  } catch (error) {
    const error_message = error instanceof Error ? error.message : String(error);
    const duration_ns = (Date.now() - started) * 1_000_000;
    const output = said === '' ? error_message : said;
    const metrics = { duration_ns, ...scores };
    return { trace: { ...trace, output, status_code: 500, metrics, user_metadata: { error_message } }, scores, failed: true };
  }
}

function computeMeans(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const values = new Map<string, number[]>();
  for (const [name, value] of all.flatMap((scores) => Object.entries(scores))) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(
    [...values].map(([name, found]) => [name, found.reduce((sum, value) => sum + value, 0) / found.length]),
  );
}
