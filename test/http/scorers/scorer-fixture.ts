import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { defineModelProvider, z } from '../../../core/plugin-sdk/index.ts';
import type { Reply, TestServer } from '../harness.ts';

const CODE = 'const scorer = (record) => JSON.stringify(record.input).length;';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export type Body = any;

/** Scorers, and runs to enable them in, made over HTTP by the administrator. */
export function scorerFixture(server: () => TestServer) {
  const ok = async (reply: Promise<Reply>): Promise<Body> => {
    const { status, body } = await reply;
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const request: TestServer['request'] = (...asked) => server().request(...asked);
  const form = (source: string, fields: Record<string, string> = {}, filename = 'scorer.js'): FormData => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append('file', new Blob([source], { type: 'text/x-python' }), filename);
    return body;
  };
  return {
    create: (facts: object = {}): Promise<Body> =>
      ok(request('POST', '/v2/scorers', { name: `scorer ${randomUUID()}`, scorer_type: 'code', ...facts })),
    get: (id: string): Promise<Body> => ok(request('GET', `/v2/scorers/${id}`)),
    form,
    send: (path: string, source: string, fields?: Record<string, string>, filename?: string): Promise<Reply> =>
      request('POST', path, undefined, { raw: form(source, fields, filename) }),
    upload: (id: string, source = CODE): Promise<Body> =>
      ok(request('POST', `/v2/scorers/${id}/version/code`, undefined, { raw: form(source) })),

    /** A preset of a judge, as the service brings them along. */
    async preset(): Promise<Body> {
      const { scorerStore } = server().cradle;
      const id = randomUUID();
      const now = new Date().toISOString();
      const made = { created_by: null, created_at: now, updated_at: now };
      const settings = { scoreable_node_types: ['trace'], output_type: 'boolean', input_type: 'trace_io_only' };
      await scorerStore.insert({
        ...made,
        ...settings,
        id,
        name: `preset ${id}`,
        label: 'Preset',
        scorer_type: 'preset',
        description: '',
        tags: [],
        defaults: null,
        model_type: 'llm',
        ground_truth: false,
        default_version_id: null,
        user_prompt: null,
        required_scorers: null,
        multimodal_capabilities: null,
        roll_up_method: null,
        deprecated: false,
      });
      const definition = { ...settings, model_name: 'm', num_judges: 3, user_prompt: 'Polite? {{output}}' };
      const facts = { model_name: 'm', num_judges: 3, cot_enabled: false };
      await scorerStore.insertVersion({
        ...made,
        ...settings,
        ...facts,
        id: randomUUID(),
        scorer_id: id,
        kind: 'generated',
        definition,
        calibration: null,
      });
      return { id };
    },

    /** A log stream in a project of its own. */
    async run() {
      const project_id = (await ok(request('POST', '/v2/projects', { name: randomUUID(), type: 'gen_ai' }))).id as string;
      const run_id = (await ok(request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'default' }))).id as string;
      const settings = `/v2/projects/${project_id}/log_streams/${run_id}/metric_settings`;
      return {
        project_id,
        run_id,
        enable: (...scorers: object[]): Promise<Body> => ok(request('PATCH', settings, { scorers })),
        settings: () => request('GET', settings),
        async log(input: string, facts: object = {}): Promise<string> {
          const body = { log_stream_id: run_id, traces: [{ input, output: 'fine', ...facts }] };
          return (await ok(request('POST', `/v2/projects/${project_id}/traces`, body))).trace_ids[0];
        },
        metric: async (trace_id: string, name: string): Promise<Body> =>
          (await ok(request('GET', `/v2/projects/${project_id}/traces/${trace_id}`))).metric_info[name],
      };
    },
  };
}

interface Asked {
  readonly token: string;
  readonly text: string;
  /** As it was asked for. */
  readonly model: string;
}

/** A provider whose models say what `reply` returns, for ten tokens, two tokens and half a dollar. */
export const parrotProvider = (reply: (question: Asked) => string, models: readonly string[] = ['judge-1']) =>
  defineModelProvider({
    id: 'parrot',
    sdk: 1,
    stability: 'experimental',
    label: 'Parrot',
    summary: 'Says what the test says.',
    settings: z.strictObject({ token: z.string() }),
    create: (_host, { token }) => ({
      complete: async ({ messages, model: name }) => ({
        text: reply({ token, model: name, text: messages.map(({ content }) => content).join('\n') }),
        usage: { input_tokens: 10, output_tokens: 2 },
        finish_reason: 'stop',
        model: `${name}-2026-01-01`,
        cost: 0.5,
      }),
      models: async () => models.map((name) => ({ name, for_scorers: true })),
      check: async () => {},
    }),
  });
