import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { allOf } from './all-of.ts';
import { CommandError } from './command-error.ts';
import { type DatasetRow, readRows } from './datasets.ts';
import type { ServiceClient } from './service-client.ts';
import { Progress, type Terminal, toTable } from './terminal.ts';

export interface ExperimentRun {
  readonly project_id: string;
  readonly dataset_id: string;
  readonly name: string;
  /** Started once for each row: reads it as JSON, writes its output. */
  readonly command: string;
  readonly parallel: number;
  /** Ids of scorers. */
  readonly scorers: readonly string[];
}

export interface RunExperiment {
  readonly experiment_id: string;
  readonly rows: number;
  readonly failed: number;
  readonly url: string;
}

const BATCH = 20;
const OUTPUT_BYTES = 10 * 1024 * 1024;

interface Ran {
  readonly output: string;
  readonly failed: boolean;
  readonly started: Date;
  readonly duration_ns: number;
}

/** Runs a command on every row of a dataset, several at once, and logs the traces to a new experiment. */
export async function runExperiment(client: ServiceClient, run: ExperimentRun, terminal: Terminal): Promise<RunExperiment> {
  const dataset = await client.call<{ current_version_index: number }>('GET', `/v2/datasets/${run.dataset_id}`);
  const rows = await allOf(readRows(client, run.dataset_id));
  const { id } = await client.call<{ id: string }>('POST', `/v2/projects/${run.project_id}/experiments`, {
    json: {
      name: run.name,
      dataset: { dataset_id: run.dataset_id, version_index: dataset.current_version_index },
      ...(run.scorers.length > 0 && { scorers: run.scorers.map((id) => ({ id })) }),
    },
  });
  const progress = new Progress(terminal, 'rows');
  let done = 0;
  let failed = 0;
  let traces: object[] = [];
  const log = async () => {
    const batch = traces;
    traces = [];
    const path = `/v2/projects/${run.project_id}/traces`;
    if (batch.length > 0) await client.open('POST', path, { json: { experiment_id: id, traces: batch } });
  };
  const waiting = rows.values();
  const work = async () => {
    for (const row of waiting) {
      const ran = await runCommand(run.command, row, terminal);
      if (ran.failed) failed += 1;
      traces.push(toTrace(row, ran));
      progress.at(++done, rows.length);
      if (traces.length >= BATCH) await log();
    }
  };
  await Promise.all(Array.from({ length: run.parallel }, work));
  await log();
  progress.end();
  return { experiment_id: id, rows: rows.length, failed, url: experimentUrl(client, run.project_id, id) };
}

export const experimentUrl = (client: ServiceClient, project_id: string, id: string): string =>
  `${client.url}/#/projects/${project_id}/experiments/${id}`;

/** By the shell, as people write commands; the row goes to its standard input, never into the command line. */
function runCommand(command: string, row: DatasetRow, terminal: Terminal): Promise<Ran> {
  const started = new Date();
  const from = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...terminal.env, TOUCHSTONE_ROW_ID: row.row_id },
      ...(terminal.signal && { signal: terminal.signal }),
    });
    const parts: Buffer[] = [];
    let bytes = 0;
    let complaint = '';
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= OUTPUT_BYTES) parts.push(part);
    });
    child.stderr.on('data', (part: Buffer) => {
      complaint = (complaint + part.toString()).slice(-4_000);
    });
    child.on('error', (cause) => reject(new CommandError(`${command} cannot be run: ${cause.message}`, undefined, { cause })));
    // A command that does not read its row ends all the same.
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(row.values_dict)}\n`);
    child.on('close', (code) => {
      const failed = code !== 0 || bytes > OUTPUT_BYTES;
      const output = Buffer.concat(parts).toString().replace(/\n$/, '');
      const why = bytes > OUTPUT_BYTES ? `more than ${OUTPUT_BYTES} bytes of output` : `ended with ${code}: ${complaint.trim()}`;
      resolve({ output: failed ? why : output, failed, started, duration_ns: Number(process.hrtime.bigint() - from) });
    });
  });
}

function toTrace({ row_id, values_dict }: DatasetRow, { output, failed, started, duration_ns }: Ran): object {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
  const input = text(values_dict.input ?? values_dict);
  return {
    id: randomUUID(),
    name: 'row',
    input,
    output,
    created_at: started.toISOString(),
    status_code: failed ? 500 : 200,
    metrics: { duration_ns },
    dataset_input: input,
    ...(values_dict.output !== undefined && { dataset_output: text(values_dict.output) }),
    dataset_metadata: { dataset_row_id: row_id },
  };
}

interface PairedMetric {
  readonly name: string;
  readonly n: number;
  readonly baseline_mean: number;
  readonly candidate_mean: number;
  readonly mean_difference: number;
  readonly lower_is_better: boolean;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly improved: { readonly rows: number };
  readonly worse: { readonly rows: number };
}

export interface Comparison {
  readonly joined_rows: number;
  readonly metrics: readonly PairedMetric[];
}

export function compareExperiments(
  client: ServiceClient,
  project_id: string,
  baseline_id: string,
  candidate_id: string,
): Promise<Comparison> {
  return client.call('POST', `/v2/projects/${project_id}/experiments/compare`, { json: { baseline_id, candidate_id, limit: 1 } });
}

/** Whether a metric got worse by more than chance explains: its whole interval lies on the wrong side of 0. */
export const isWorse = ({ interval, lower_is_better }: PairedMetric): boolean =>
  interval !== null && (lower_is_better ? interval.low > 0 : interval.high < 0);

export function describeComparison({ joined_rows, metrics }: Comparison): string {
  const number = (value: number) => String(Number(value.toPrecision(4)));
  const rows = metrics.map((metric) => [
    metric.name,
    String(metric.n),
    number(metric.baseline_mean),
    number(metric.candidate_mean),
    number(metric.mean_difference),
    metric.interval === null ? '' : `${number(metric.interval.low)} to ${number(metric.interval.high)}`,
    `${metric.improved.rows} better, ${metric.worse.rows} worse`,
    isWorse(metric) ? 'WORSE' : '',
  ]);
  const head = ['metric', 'n', 'baseline', 'candidate', 'difference', 'interval', 'rows', ''];
  return `${joined_rows} rows in both\n${toTable([head, ...rows])}`;
}
