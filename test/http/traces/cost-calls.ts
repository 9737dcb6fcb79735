import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TestServer } from '../harness.ts';

export const MODEL = 'gpt-4o-2024-08-06';
export const TOKENS = { num_input_tokens: 1000, num_output_tokens: 100 };
/** Of a call of the model with these tokens, in US dollars. */
export const COST = (1000 * 2.5 + 100 * 10) / 1e6;

export const call = (more: object = {}) => ({
  ...{ type: 'llm', input: 'hi', output: 'ho', model: MODEL, metrics: TOKENS },
  ...more,
});

/** Requests about costs of a project; `place` is asked at each, since servers are started later. */
export function costRequests(place: () => { readonly server: TestServer; readonly project: string }) {
  const at = (path: string) => `/v2/projects/${place().project}${path}`;
  const post = async (path: string, body: object) => {
    const reply = await place().server.request('POST', at(path), body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  };
  return {
    at,
    post,
    newStream: async (): Promise<string> => (await post('/log_streams', { name: randomUUID() })).id,
    search: async (kind: 'traces' | 'spans' | 'sessions', log_stream_id: string, more: object = {}) =>
      (await post(`/${kind}/search`, { log_stream_id, ...more })).records,
    logTrace: async (log_stream_id: string, spans: object[], more: object = {}): Promise<string> => {
      const id = randomUUID();
      await post('/traces', { log_stream_id, traces: [{ id, input: 'q', output: 'a', spans, ...more }] });
      return id;
    },
    setPrices: (prices: object[], path = at('/model-prices')) => place().server.request('PUT', path, { prices }),
  };
}
