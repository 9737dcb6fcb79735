import { parseArgs } from 'node:util';
import { z } from 'zod';

export const GATE_USAGE = `usage: npm run gate -- --scorer ID [--version N] [--dataset ID] [--margin NUMBER] [--type TYPE]
       npm run gate -- --project ID --experiment ID --baseline ID --metric NAME [--metric NAME ...] [--margin NUMBER]
  SERVICE_URL      address of the service, http://127.0.0.1:8088 when not set
  SERVICE_API_KEY  key of somebody who sees the dataset
Without --version the latest is asked about; dataset, margin and type are those of the scorer's gate unless given.
An experiment is refused when one of the metrics is worse than in its baseline by more than the margin, 0 unless given, beyond chance.
`;

const WAIT_MS = 60_000;

interface GatePlace {
  readonly url: string;
  readonly api_key: string;
}

/** A question to the gate of a scorer, and the URL of the service. */
export interface ScorerQuestion extends GatePlace {
  readonly scorer: string;
  readonly body: Readonly<Record<string, string | number>>;
}

/** Whether an experiment is as good as its baseline. */
export interface ExperimentQuestion extends GatePlace {
  readonly project_id: string;
  readonly candidate_id: string;
  readonly baseline_id: string;
  /** At least one. */
  readonly metrics: readonly string[];
  /** By how much each may be worse. */
  readonly margin: number;
}

const Verdict = z.object({ passed: z.boolean(), reason: z.string(), message: z.string() });
export type Verdict = z.output<typeof Verdict>;

/** Throws with what is missing or cannot be read. */
export function toGateQuestion(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ScorerQuestion | ExperimentQuestion {
  const text = { type: 'string' } as const;
  const ofScorer = { scorer: text, version: text, dataset: text, margin: text, type: text };
  const options = { ...ofScorer, project: text, experiment: text, baseline: text, metric: { ...text, multiple: true } } as const;
  const given = parseArgs({ args: [...args], options }).values;
  const { scorer, version, dataset, margin, type } = given;
  if (!scorer && !given.experiment) throw new Error('--scorer is missing, or --experiment');
  if (!env.SERVICE_API_KEY) throw new Error('SERVICE_API_KEY is not set');
  const place = { url: (env.SERVICE_URL || 'http://127.0.0.1:8088').replace(/\/+$/, ''), api_key: env.SERVICE_API_KEY };
  if (!scorer) return { ...place, ...toExperiment(given) };
  return {
    ...place,
    scorer,
    body: {
      ...(version !== undefined && { version: parseNumber('--version', version) }),
      ...(dataset !== undefined && { dataset_id: dataset }),
      ...(margin !== undefined && { margin: parseNumber('--margin', margin) }),
      ...(type !== undefined && { health_score_type: type }),
    },
  };
}

interface ExperimentOptions {
  readonly project?: string | undefined;
  readonly experiment?: string | undefined;
  readonly baseline?: string | undefined;
  readonly metric?: readonly string[] | undefined;
  readonly margin?: string | undefined;
}

function toExperiment({
  project,
  experiment,
  baseline,
  metric,
  margin,
}: ExperimentOptions): Omit<ExperimentQuestion, keyof GatePlace> {
  if (!project) throw new Error('--project is missing');
  if (!baseline) throw new Error('--baseline is missing');
  if (!metric?.length) throw new Error('--metric is missing');
  const allowed = margin === undefined ? 0 : parseNumber('--margin', margin);
  if (allowed < 0) throw new Error(`--margin is below 0: ${margin}`);
  return { project_id: project, candidate_id: experiment ?? '', baseline_id: baseline, metrics: metric, margin: allowed };
}

/** Throws when there is no verdict, whatever the reason. */
export async function askGate(question: ScorerQuestion | ExperimentQuestion): Promise<Verdict> {
  if ('scorer' in question) {
    const { scorer, body } = question;
    return Verdict.parse(await send(question, `scorers/${encodeURIComponent(scorer)}/gate/check`, body));
  }
  const { project_id, baseline_id, candidate_id } = question;
  const path = `projects/${encodeURIComponent(project_id)}/experiments/compare`;
  const { metrics } = Compared.parse(await send(question, path, { baseline_id, candidate_id, limit: 1 }));
  return judgeExperiment(question, metrics);
}

const Compared = z.object({
  metrics: z.array(
    z.object({
      name: z.string(),
      n: z.number(),
      mean_difference: z.number(),
      lower_is_better: z.boolean(),
      interval: z.object({ low: z.number(), high: z.number() }).nullable(),
    }),
  ),
});
type ComparedMetric = z.output<typeof Compared>['metrics'][number];

/** Throws when one of the metrics cannot be judged: it is on no row of both experiments, or on too few to know what is chance. */
export function judgeExperiment(
  { metrics, margin }: Pick<ExperimentQuestion, 'metrics' | 'margin'>,
  compared: readonly ComparedMetric[],
): Verdict {
  const judged = metrics.map((name) => {
    const metric = compared.find((one) => one.name === name);
    if (!metric) throw new Error(`no row has ${name} in both experiments`);
    if (!metric.interval) throw new Error(`${metric.n} rows with ${name} are too few to know what is chance`);
    const { low, high } = metric.interval;
    return { metric, isWorse: metric.lower_is_better ? low > margin : high < -margin };
  });
  const worse = judged.filter(({ isWorse }) => isWorse);
  const message = (worse.length > 0 ? worse : judged).map(({ metric }) => describe(metric)).join('; ');
  return { passed: worse.length === 0, reason: worse.length > 0 ? 'worse_than_baseline' : 'not_worse', message };
}

const describe = ({ name, n, mean_difference, interval }: ComparedMetric): string =>
  `${name} ${signed(mean_difference)} on ${n} rows (${signed(interval!.low)} to ${signed(interval!.high)})`;

const signed = (value: number): string => `${value > 0 ? '+' : ''}${Number(value.toPrecision(4))}`;

async function send({ url, api_key }: GatePlace, path: string, body: object): Promise<unknown> {
  const res = await fetch(`${url}/v2/${path}`, {
    method: 'POST',
    headers: { 'service-api-key': api_key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(WAIT_MS),
  });
  const reply = await res.text();
  if (!res.ok) throw new Error(`the service answered ${res.status}: ${reply.slice(0, 1000)}`);
  return JSON.parse(reply);
}

function parseNumber(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new Error(`${option} is no number: ${text}`);
  return value;
}
