import { parseArgs } from 'node:util';
import { z } from 'zod';

export const AUDIT_USAGE = `usage: npm run judge:audit -- --scorer ID [--version N] [--probe NAME ...] [--dataset ID] [--family NAME] [--max-cost DOLLARS] [--dry-run]
  SERVICE_URL      address of the service, http://127.0.0.1:8088 when not set
  SERVICE_API_KEY  key of somebody who may change the scorer, and whose integrations offer the models of its judge
Without --version the latest is tested, without --probe for everything: position, verbosity, self_preference, formatting,
language, injection, repeatability. --dry-run says what would be asked and what that would cost.
`;

const AGAIN_MS = 1_000;
const WAIT_MS = 60_000;

/** A version to test for bias, and where. */
export interface AuditQuestion {
  readonly url: string;
  readonly api_key: string;
  readonly scorer: string;
  readonly body: {
    readonly version?: number;
    readonly probes?: readonly string[];
    readonly dataset_id?: string;
    readonly model_family?: string;
    readonly max_cost?: number;
    readonly dry_run: boolean;
  };
}

const Plan = z.looseObject({
  questions: z.number(),
  calls: z.number(),
  estimated_cost: z.number().nullable(),
  unknown_because: z.string().nullable(),
});
const ProbeResult = z.looseObject({
  probe: z.string(),
  verdict: z.string(),
  effect: z.number().nullable(),
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
  pairs: z.number(),
  adjusted_p_value: z.number().nullable(),
});
const Audit = z.looseObject({
  id: z.string(),
  status: z.string(),
  message: z.string().nullable(),
  questions_asked: z.number(),
  report: z.looseObject({ found: z.array(z.string()), probes: z.array(ProbeResult) }).nullable(),
});
const Started = z.looseObject({ plan: Plan, audit: Audit.nullable() });
export type AuditPlan = z.output<typeof Plan>;
export type Audit = z.output<typeof Audit>;

/** Throws with what is missing or cannot be read. */
export function toAuditQuestion(args: readonly string[], env: Readonly<Record<string, string | undefined>>): AuditQuestion {
  const text = { type: 'string' } as const;
  const options = {
    ...{ scorer: text, version: text, dataset: text, family: text, 'max-cost': text },
    probe: { ...text, multiple: true },
    'dry-run': { type: 'boolean' },
  } as const;
  const { scorer, version, dataset, family, probe, ...given } = parseArgs({ args: [...args], options }).values;
  if (!scorer) throw new Error('--scorer is missing');
  if (!env.SERVICE_API_KEY) throw new Error('SERVICE_API_KEY is not set');
  return {
    url: (env.SERVICE_URL || 'http://127.0.0.1:8088').replace(/\/+$/, ''),
    api_key: env.SERVICE_API_KEY,
    scorer,
    body: {
      ...(version !== undefined && { version: parsePositive('--version', version) }),
      ...(probe && { probes: probe }),
      ...(dataset !== undefined && { dataset_id: dataset }),
      ...(family !== undefined && { model_family: family }),
      ...(given['max-cost'] !== undefined && { max_cost: parsePositive('--max-cost', given['max-cost']) }),
      dry_run: given['dry-run'] ?? false,
    },
  };
}

function parsePositive(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0) || !Number.isFinite(value)) throw new Error(`${option} is no number above 0: ${text}`);
  return value;
}

/** Has the audit made and waits for its end; a dry run has a plan alone. Throws when it could not be started. */
export async function runAudit(
  question: AuditQuestion,
  onProgress: (line: string) => void,
): Promise<{ readonly plan: AuditPlan; readonly audit: Audit | null }> {
  const path = `scorers/${encodeURIComponent(question.scorer)}/audits`;
  const { plan, audit: started } = Started.parse(await send(question, 'POST', path, question.body));
  onProgress(describePlan(plan));
  let audit = started;
  while (audit?.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    audit = Audit.parse(await send(question, 'GET', `${path}/${audit.id}`));
    onProgress(`${audit.questions_asked} of ${plan.questions} questions`);
  }
  return { plan, audit };
}

export function describePlan({ questions, calls, estimated_cost, unknown_because }: AuditPlan): string {
  const cost =
    estimated_cost === null ? `cost not known: ${unknown_because}` : `about ${estimated_cost.toPrecision(3)} US dollars`;
  return `${questions} questions, ${calls} calls of models, ${cost}`;
}

/** One line for each probe, and what the audit came to. */
export function describeAudit({ status, message, report }: Audit): string {
  if (!report) return `${status}: ${message}`;
  const lines = report.probes.map(({ probe, verdict, effect, interval, pairs, adjusted_p_value }) => {
    const of = interval ? ` (${shorten(interval.low)} to ${shorten(interval.high)})` : '';
    const how = `effect ${shorten(effect)}${of}, ${pairs} pairs, p ${shorten(adjusted_p_value)}`;
    return `${probe.padEnd(15)} ${verdict.padEnd(15)} ${how}`;
  });
  return [...lines, report.found.length > 0 ? `bias found: ${report.found.join(', ')}` : 'no bias found'].join('\n');
}

/** 0 without a finding, 1 with one, 2 for an audit that has no report. */
export const toExitCode = ({ report }: Audit): number => (report ? (report.found.length > 0 ? 1 : 0) : 2);

const shorten = (value: number | null): string => (value === null ? '-' : String(Number(value.toPrecision(3))));

async function send({ url, api_key }: AuditQuestion, method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const res = await fetch(`${url}/v2/${path}`, {
    method,
    headers: { 'service-api-key': api_key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(WAIT_MS),
  });
  const reply = await res.text();
  if (!res.ok) throw new Error(`the service answered ${res.status}: ${reply.slice(0, 1000)}`);
  return JSON.parse(reply);
}
