import { parseArgs } from 'node:util';
import { z } from 'zod';

export const GATE_USAGE = `usage: npm run gate -- --scorer ID [--version N] [--dataset ID] [--margin NUMBER] [--type TYPE]
  SERVICE_URL      address of the service, http://127.0.0.1:8088 when not set
  SERVICE_API_KEY  key of somebody who sees the dataset
Without --version the latest is asked about; dataset, margin and type are those of the scorer's gate unless given.
`;

const WAIT_MS = 60_000;

/** A question to the gate, and the URL of the service. */
export interface GateQuestion {
  readonly url: string;
  readonly api_key: string;
  readonly scorer: string;
  readonly body: Readonly<Record<string, string | number>>;
}

const Verdict = z.object({ passed: z.boolean(), reason: z.string(), message: z.string() });
export type Verdict = z.output<typeof Verdict>;

/** Throws with what is missing or cannot be read. */
export function toGateQuestion(args: readonly string[], env: Readonly<Record<string, string | undefined>>): GateQuestion {
  const text = { type: 'string' } as const;
  const options = { scorer: text, version: text, dataset: text, margin: text, type: text };
  const { scorer, version, dataset, margin, type } = parseArgs({ args: [...args], options }).values;
  if (!scorer) throw new Error('--scorer is missing');
  if (!env.SERVICE_API_KEY) throw new Error('SERVICE_API_KEY is not set');
  return {
    url: (env.SERVICE_URL || 'http://127.0.0.1:8088').replace(/\/+$/, ''),
    api_key: env.SERVICE_API_KEY,
    scorer,
    body: {
      ...(version !== undefined && { version: parseNumber('--version', version) }),
      ...(dataset !== undefined && { dataset_id: dataset }),
      ...(margin !== undefined && { margin: parseNumber('--margin', margin) }),
      ...(type !== undefined && { health_score_type: type }),
    },
  };
}

/** Throws when there is no verdict, whatever the reason. */
export async function askGate({ url, api_key, scorer, body }: GateQuestion): Promise<Verdict> {
  const res = await fetch(`${url}/v2/scorers/${encodeURIComponent(scorer)}/gate/check`, {
    method: 'POST',
    headers: { 'service-api-key': api_key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(WAIT_MS),
  });
  const reply = await res.text();
  if (!res.ok) throw new Error(`the service answered ${res.status}: ${reply.slice(0, 1000)}`);
  return Verdict.parse(JSON.parse(reply));
}

function parseNumber(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new Error(`${option} is no number: ${text}`);
  return value;
}
