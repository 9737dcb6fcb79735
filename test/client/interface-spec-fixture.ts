import { randomUUID } from 'node:crypto';
import { asValue } from 'awilix';
import { expect, vi } from 'vitest';
import { startTestServer, type TestServer } from '../http/harness.ts';
import { type Person, person } from '../http/people.ts';
import { SocialIssuer } from '../setup/social-issuer.ts';

/** A service with one of everything that the interface specification speaks of, made by requests alone. */
export interface SpecFixture {
  readonly server: TestServer;
  readonly issuer: SocialIssuer;
  /** Values for the parameters of paths, and further ids. */
  readonly ids: Readonly<Record<string, string>>;
  readonly guest: Person;
  id_token(): Promise<string>;
  /** As `server.request`, with no other credentials than those in `headers`. */
  readonly askWithout: TestServer['request'];
  close(): Promise<void>;
}

export const PROGRAM = 'const scorer = ({ output }) => String(output).includes("good");';

export function sourceForm(fields: Readonly<Record<string, string>>, source = PROGRAM): FormData {
  const form = new FormData();
  form.set('file', new Blob([source], { type: 'text/javascript' }), 'scorer.js');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

export async function openSpecFixture(): Promise<SpecFixture> {
  const issuer = await SocialIssuer.start();
  const server = await startTestServer({
    socialProviders: { okta: issuer.provider({ sign_up_domains: ['example.org'] }) },
    // Many requests from one place are what this is about.
    overrides: { rateLimiter: asValue({ authorize: async () => {}, count: async () => {}, clear: async () => {} } as never) },
  });
  // biome-ignore lint/suspicious/noExplicitAny: replies of every shape
  const ok = async (method: string, path: string, body?: unknown, init?: { raw: FormData }): Promise<any> => {
    const reply = await server.request(method, path, body, init);
    expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBeLessThan(300);
    return reply.body;
  };
  const guest = await person(server, { email: 'guest@example.org' });
  const project_id = (await ok('POST', '/v2/projects', { name: 'Atlas', type: 'gen_ai' })).id;
  const at = `/v2/projects/${project_id}`;
  const log_stream_id = (await ok('POST', `${at}/log_streams`, { name: 'default' })).id;
  const session_id = (await ok('POST', `${at}/sessions`, { log_stream_id, name: 'talk' })).id;
  const span = { type: 'llm', name: 'answer', input: 'q', output: { role: 'assistant', content: 'good' } };
  const traces = [{ type: 'trace', name: 't', input: 'q', output: 'good', spans: [span] }];
  const [trace_id] = (await ok('POST', `${at}/traces`, { log_stream_id, session_id, traces })).trace_ids;

  const scorer_id = (
    await ok('POST', '/v2/scorers', {
      name: 'says good',
      scorer_type: 'code',
      output_type: 'boolean',
      scoreable_node_types: ['trace'],
    })
  ).id;
  await ok('POST', `/v2/scorers/${scorer_id}/version/code`, undefined, { raw: sourceForm({}) });
  const judge_id = (await ok('POST', '/v2/scorers', { name: 'polite', scorer_type: 'llm', output_type: 'boolean' })).id;
  const prompt = { user_prompt: 'Polite? {{output}}', model_name: 'judge-1', num_judges: 1, scoreable_node_types: ['llm'] };
  await ok('POST', `/v2/scorers/${judge_id}/version/llm`, prompt);
  const settings = `${at}/log_streams/${log_stream_id}/metric_settings`;
  await ok('PATCH', settings, { scorers: [{ id: scorer_id }] });

  const form = new FormData();
  form.set('file', new Blob(['input,output,mgt\nq1,good,true\nq2,bad,false\n']), 'rows.csv');
  form.set('name', 'rows');
  form.set('project_id', project_id);
  const dataset_id = (await ok('POST', '/v2/datasets?format=csv', undefined, { raw: form })).id;
  await ok('PATCH', `/v2/datasets/${dataset_id}/content`, {
    edits: [{ edit_type: 'append_row', values: { input: 'q3', mgt: 'true' } }],
  });
  const group_id = (await ok('POST', '/v2/groups', { name: 'readers' })).id;
  await ok('POST', `/v2/datasets/${dataset_id}/groups`, [{ group_id, role: 'viewer' }]);
  await ok('POST', `/v2/datasets/${dataset_id}/users`, [{ user_id: guest.id, role: 'viewer' }]);
  const integration_id = (await ok('PUT', '/v2/integrations/openai', { token: 'sk-1' })).id;
  await ok('POST', `/v2/integrations/${integration_id}/users`, [{ user_id: guest.id, role: 'viewer' }]);

  const trial = sourceForm({ dataset_id, dataset_version_index: '1', scoreable_node_types: '["trace"]', project_id });
  const { metrics_experiment_id } = await ok('POST', '/v2/scorers/code/validate/dataset', undefined, { raw: trial });
  const latest = `${at}/runs/${metrics_experiment_id}/jobs/latest`;
  await vi.waitFor(async () => expect((await ok('GET', latest)).status).toBe('completed'), { timeout: 20_000, interval: 50 });

  const ids = { project_id, log_stream_id, session_id, trace_id, scorer_id, judge_id, dataset_id, group_id, integration_id };
  return {
    server,
    issuer,
    guest,
    ids: { ...ids, user_id: guest.id, metrics_run_id: metrics_experiment_id, version_index: '1' },
    askWithout: async (method, path, body, { headers = {}, raw } = {}) => {
      const type = raw || body === undefined ? {} : { 'content-type': 'application/json' };
      const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const reply = await fetch(server.url + path, {
        method,
        headers: { ...type, ...headers },
        ...(sent === undefined ? {} : { body: sent }),
      });
      return { status: reply.status, headers: reply.headers, body: await reply.json() };
    },
    id_token: () => issuer.token({ email: `${randomUUID()}@example.org`, email_verified: true }),
    close: async () => {
      await server.close();
      await issuer.stop();
    },
  };
}
