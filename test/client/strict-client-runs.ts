import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODEL_PROVIDERS } from '../../config/plugins.ts';
import { defineModelProvider, Token, z } from '../../core/plugin-sdk/index.ts';
import { toRequest } from '../fixtures/otel/otlp-bodies.ts';
import { ADMIN, type TestServer, type TestSettings } from '../http/harness.ts';
import { PRESETS } from '../setup/built-in-kinds.ts';
import { eventually } from '../setup/timing.ts';
import { PRESET_LABELS, SMALL_MODEL_LABELS } from './preset-labels.ts';
import { type Json, ScriptedClient } from './scripted-client.ts';

/** Promise that the model waits for before it replies. */
let held: Promise<void> = Promise.resolve();

const echo = defineModelProvider({
  id: 'openai',
  sdk: 1,
  stability: 'experimental',
  label: 'Echo',
  summary: 'A provider of the test.',
  settings: z.strictObject({ token: Token }),
  create: () => ({
    complete: async ({ model, schema }) => {
      await held;
      const text = schema ? JSON.stringify({ explanation: 'plain to see', rating: true }) : `hello from ${model}`;
      return { text, usage: { input_tokens: 7, output_tokens: 2 }, finish_reason: 'stop', model };
    },
    models: async () => ['gpt-4.1-mini', 'gpt-4o'].map((name) => ({ name, for_scorers: true })),
    check: async () => {},
  }),
});

const modelProviders = [echo, ...MODEL_PROVIDERS.filter(({ id }) => id !== echo.id)];

/** Runs of a Python client that reads replies into strict types, and stops at whatever it does not know. */
export function strictClientRuns(start: (settings: TestSettings) => Promise<TestServer>): void {
  describe('an off-the-shelf client with strict types', () => {
    let server: TestServer;
    let client: ScriptedClient;
    let P: string;
    let L: string;

    beforeAll(async () => {
      server = await start({ modelProviders });
      client = new ScriptedClient({ base: `${server.url}/v2`, apiKey: ADMIN.api_key });
      ({ P, L } = await client.reach('Harbour', 'default'));
      await client.call('PUT', '/integrations/openai', { json: { token: 'sk-echo' } });
    });
    afterAll(() => server.close());

    it('reads the selected version of a template as an object, wherever a template is shown', async () => {
      const messages = [{ role: 'user', content: 'hello {{input}}' }];
      const made = await client.post('/templates', { name: 'greeting', template: messages });
      const version = await client.get(`/templates/${made.id}/versions/1`);
      expect(made.selected_version).toEqual(version);
      expect(made.selected_version_id).toBe(version.id);
      expect(version).toMatchObject({ template: messages, version: 1, created_by_user: { email: ADMIN.email } });
      const second = await client.post(`/templates/${made.id}/versions`, { template: 'good day {{input}}' });
      const selected = (await client.call('PUT', `/templates/${made.id}/versions/${second.version}`)).body;
      for (const shown of [
        selected,
        await client.get(`/templates/${made.id}`),
        (await client.call('PATCH', `/templates/${made.id}`, { json: { name: 'greetings' } })).body,
        (await client.post('/templates/query?limit=100', {})).templates[0],
      ])
        expect(shown).toMatchObject({ selected_version: second, selected_version_id: second.id });
    });

    it('asks for more than a page may hold, and gets the largest page', async () => {
      const time = { start_time: new Date(Date.now() - 3_600_000).toISOString(), end_time: new Date().toISOString() };
      const inQuery = ['GET /datasets', 'GET /users', 'POST /scorers/list', 'POST /projects/paginated', 'POST /templates/query'];
      for (const operation of inQuery) {
        const [method = '', path = ''] = operation.split(' ');
        const json = method === 'POST' ? { json: {} } : {};
        const { body } = await client.call(method, `${path}?limit=5000`, json);
        expect(body.limit, operation).toBe(1000);
      }
      for (const path of ['log_streams/search', 'traces/search', 'spans/search', 'sessions/search', 'traces/partial_search']) {
        const sent = { project_id: P, log_stream_id: L, limit: 2 ** 63, ...time, select_columns: {} };
        expect((await client.post(`/projects/${P}/${path}?project_id=${P}`, sent)).limit, path).toBe(1000);
      }
      for (const limit of ['0', '-1', 'all'])
        expect((await client.attempt('GET', `/datasets?limit=${limit}`)).status, limit).toBe(422);
    });

    it('asks for a whole dataset at once', async () => {
      const rows = 2_500;
      const form = new FormData();
      const lines = Array.from({ length: rows }, (_, at) => `${JSON.stringify({ input: `question ${at}` })}\n`).join('');
      form.set('name', 'many questions');
      form.set('file', new Blob([lines], { type: 'application/octet-stream' }), 'many questions');
      const { id: D } = await client.postForm('/datasets?format=jsonl', form);
      const whole = await client.call('GET', `/datasets/${D}/content?starting_token=0&limit=100000`);
      expect(whole.headers.get('etag')).toBeTruthy();
      expect(whole.body).toMatchObject({ limit: 100_000, paginated: false, next_starting_token: null });
      expect(whole.body.rows.map(({ index }: Json) => index)).toEqual(Array.from({ length: rows }, (_, at) => at));
      expect(whole.body.rows[2_499]).toMatchObject({
        values: ['question 2499'],
        values_dict: { input: 'question 2499' },
        metadata: { created_by_user: { email: ADMIN.email } },
      });
      expect((await client.get(`/datasets/${D}/content?limit=100001`)).limit).toBe(100_000);
      const part = await client.get(`/datasets/${D}/content?starting_token=500&limit=1500`);
      expect(part).toMatchObject({ starting_token: 500, limit: 1_500, paginated: true, next_starting_token: 2_000 });
      expect(part.rows.map(({ index }: Json) => index)).toEqual(Array.from({ length: 1_500 }, (_, at) => 500 + at));
    });

    it('polls while the status of a task is pending, and meets no other word before the end', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      const template = { template: 'Is {{output}} right for {{input}}?' };
      const configuration = { model_alias: 'gpt-4.1-mini', num_judges: 1, scoreable_node_types: ['llm'] };
      const asked = { query: 'When?', response: 'Noon.', user_prompt: 'Is it right?', chain_poll_template: template };
      const sent = { ...asked, scorer_configuration: configuration };
      const { task_result_id } = await client.post('/scorers/llm/validate', sent);
      const path = `/scorers/llm/validate/${task_result_id}`;
      const job = () => server.cradle.jobStore.find(task_result_id);
      await eventually(async () => expect((await job())?.status).toBe('processing'));
      expect(await client.get(path)).toMatchObject({ status: 'pending', result: null });
      resolve();
      expect(await client.poll(path, ({ status }) => status !== 'pending')).toMatchObject({ status: 'completed' });
    });

    it('finds each preset by its label, letter for letter', async () => {
      await server.cradle.presetSeeding.seed(PRESETS);
      const kinds: Record<string, string[]> = {};
      for (const label of [...PRESET_LABELS, ...SMALL_MODEL_LABELS]) {
        const filters = [{ name: 'label', value: label, operator: 'eq', case_sensitive: true }];
        const { scorers } = await client.post('/scorers/list?starting_token=0&limit=100', { filters });
        expect(scorers, label).toMatchObject([{ label, scorer_type: 'preset' }]);
        kinds[scorers[0].model_type] = [...(kinds[scorers[0].model_type] ?? []), label];
      }
      expect(kinds.slm).toEqual(SMALL_MODEL_LABELS);
      const labels = (await client.post('/scorers/list?limit=1000', {})).scorers.map(({ label }: Json) => label);
      expect(new Set(labels).size).toBe(labels.length);
    });

    it('names models as people write them', async () => {
      const template = [{ role: 'user', content: 'hello {{input}}' }];
      const { selected_version_id } = await client.post('/templates', { name: 'by alias', template });
      const form = new FormData();
      form.set('file', new Blob(['{"input":"fixture"}\n']), 'one row');
      form.set('project_id', P);
      const { id: D } = await client.postForm('/datasets?format=jsonl', form);
      const at = { dataset_id: D, version_index: 1 };
      for (const [alias, name] of [
        ['GPT-4o', 'gpt-4o'],
        ['GPT 4.1 Mini', 'gpt-4.1-mini'],
      ] as const) {
        const { id: E } = await client.post(`/projects/${P}/experiments`, { name: alias, task_type: 16, dataset: at });
        const { job_id } = await client.post('/jobs', {
          job_name: 'playground_run',
          project_id: P,
          run_id: E,
          prompt_template_version_id: selected_version_id,
          prompt_settings: { model_alias: alias },
          dataset_id: D,
          scorers: null,
          task_type: 16,
        });
        const done = await client.poll(`/jobs/${job_id}`, ({ status }) => !['pending', 'processing'].includes(status));
        expect(done).toMatchObject({ status: 'completed', error_message: null });
        const { records } = await client.post(`/projects/${P}/traces/search`, { project_id: P, experiment_id: E });
        expect(records).toMatchObject([{ output: `hello from ${name}` }]);
      }
    });

    it('exports traces by OpenTelemetry with its key as a bearer token, to a project and a log stream that are not there', async () => {
      const headers = {
        authorization: `Bearer ${ADMIN.api_key}`,
        'content-type': 'application/json',
        project: 'new%20pier',
        logstream: 'first day',
      };
      for (const path of ['/v1/traces', '/otel/traces']) {
        const body = JSON.stringify(toRequest({ spans: [{ spanId: path === '/v1/traces' ? '1'.repeat(16) : '2'.repeat(16) }] }));
        const reply = await fetch(server.url + path, { method: 'POST', headers, body });
        expect(reply.status, `${path} ${await reply.clone().text()}`).toBe(200);
      }
      const [project] = await client.get('/projects?project_name=new%20pier&type=gen_ai');
      const streams = await client.get(`/projects/${project.id}/log_streams`);
      expect(streams).toMatchObject([{ name: 'first day' }]);
      const search = { project_id: project.id, log_stream_id: streams[0].id };
      expect((await client.post(`/projects/${project.id}/spans/search`, search)).records).toHaveLength(2);
      const wrong = { ...headers, authorization: `Bearer ${ADMIN.api_key}x` };
      expect((await fetch(`${server.url}/v1/traces`, { method: 'POST', headers: wrong, body: '{}' })).status).toBe(401);
    });

    it('puts a tag of a key twice on an experiment, and finds one', async () => {
      const { id: E } = await client.post(`/projects/${P}/experiments`, { name: 'tagged', task_type: 16 });
      const tags = `/projects/${P}/experiments/${E}/tags`;
      const first = await client.post(tags, { key: 'branch', value: 'main', tag_type: 'generic' });
      const second = await client.post(tags, { key: 'branch', value: 'other', tag_type: 'generic' });
      expect(second).toMatchObject({ id: first.id, value: 'other' });
      expect(await client.get(tags)).toEqual([second]);
      const other = await client.post(tags, { key: 'commit', value: '1', tag_type: 'generic' });
      const taken = { key: 'branch', value: '', tag_type: 'generic' };
      expect((await client.attempt('PUT', `${tags}/${other.id}`, { json: taken })).status).toBe(409);
    });

    it('reads when a key was changed, and roles in groups by the name it knows', async () => {
      const key = await client.post('/users/api_keys', { description: 'ci', expires_at: null, project_id: null });
      expect(key.updated_at).toBe(key.created_at);
      const { id } = await client.get('/current_user');
      expect((await client.get(`/users/${id}/api_keys`)).api_keys[0]).toMatchObject({ id: key.id, updated_at: key.updated_at });
      const group = await client.post('/groups', { name: 'pilots' });
      const added = await client.post('/users', { email: 'ada@example.org', first_name: 'Ada' });
      const members = `/groups/${group.id}/members`;
      const [member] = await client.post(members, [{ user_id: added.id, group_role: 'member' }]);
      expect(member).toMatchObject({ user_id: added.id, role: 'member', group_role: 'member' });
      const risen = await client.call('PATCH', `${members}/${added.id}`, { json: { group_role: 'maintainer' } });
      expect(risen.body).toMatchObject({ role: 'maintainer', group_role: 'maintainer' });
      expect((await client.get(members)).members.map(({ group_role }: Json) => group_role)).toEqual(['maintainer', 'maintainer']);
      const updated = await client.call('PUT', `/users/${added.id}`, { json: { last_name: 'Lovelace', role: 'manager' } });
      expect(updated.body).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace', role: 'manager' });
    });

    it('filters sessions by a column that it calls name', async () => {
      await client.post(`/projects/${P}/sessions?project_id=${P}`, { log_stream_id: L, name: 'one', external_id: 'ext-7' });
      const filters = [{ name: 'external_id', operator: 'eq', value: 'ext-7', type: 'text' }];
      const found = await client.post(`/projects/${P}/sessions/search?project_id=${P}`, { log_stream_id: L, filters });
      expect(found.records).toMatchObject([{ external_id: 'ext-7' }]);
      const unknown = { log_stream_id: L, filters: [{ ...filters[0], name: 'no such column' }] };
      expect((await client.attempt('POST', `/projects/${P}/sessions/search`, { json: unknown })).status).toBe(422);
    });

    it('tries a judge on records, and is told the project of the trial', async () => {
      const chain_poll_template = { template: 'Is {{output}} right?' };
      const scorer_configuration = { model_alias: 'gpt-4.1-mini', num_judges: 1, scoreable_node_types: ['llm'] };
      const texts = { query: '', response: '', user_prompt: 'Is it right?' };
      const asked = {
        project_id: P,
        log_stream_id: L,
        filters: [],
        limit: 1,
        ...texts,
        chain_poll_template,
        scorer_configuration,
      };
      const { metrics_experiment_id, project_id } = await client.post('/scorers/llm/validate/log_record', asked);
      expect(metrics_experiment_id).toBeTruthy();
      expect(project_id).toBe(P);
    });

    it('lists the projects of a version of a scorer by the version alone', async () => {
      const scorer = { name: 'by version', scorer_type: 'llm', output_type: 'boolean', scoreable_node_types: ['llm'] };
      const { id: S } = await client.post('/scorers', scorer);
      const version = await client.post(`/scorers/${S}/version/llm`, { user_prompt: 'Is {{output}} right?' });
      const settings = { run_id: L, scorers: [{ id: S, scorer_type: 'llm' }] };
      await client.post(`/projects/${P}/runs/${L}/scorer-settings`, settings);
      const page = await client.get(`/scorers/versions/${version.id}/projects?limit=100`);
      expect(page).toMatchObject({ total_count: 1, projects: [{ id: P }] });
      expect(await client.get(`/scorers/versions/${version.id}/projects?scorer_id=${S}&limit=100`)).toEqual(page);
      for (const query of ['', `?scorer_id=${S}`])
        expect((await client.attempt('GET', `/scorers/versions/${P}/projects${query}`)).status).toBe(404);
    });

    it('finds a project that was made without a type by its name, whatever type it asks for', async () => {
      const plain = await client.post('/projects', { name: 'plain' });
      const chosen = await client.post('/projects', { name: 'chosen', type: 'training_inference' });
      const ids = (projects: Json[]) => projects.map(({ id }) => id);
      const named = (name: string, type: string) => client.get(`/projects?project_name=${name}&type=${type}`).then(ids);
      const typed = (name: string, type: string) => ({
        filters: [
          { name: 'name', operator: 'eq', value: name },
          { name: 'type', operator: 'eq', value: type },
        ],
      });
      for (const type of ['gen_ai', 'training_inference', 'prompt_evaluation']) {
        expect(await named('plain', type), type).toEqual([plain.id]);
        expect(ids((await client.post('/projects/paginated', typed('plain', type))).projects)).toEqual([plain.id]);
        expect(await client.post('/projects/count', typed('plain', type))).toBe(1);
      }
      expect(await named('chosen', 'gen_ai')).toEqual([]);
      expect(await client.post('/projects/count', typed('chosen', 'gen_ai'))).toBe(0);
      expect(await named('chosen', 'training_inference')).toEqual([chosen.id]);
      // One of the very type comes first, and a list by type alone goes by the type.
      const exact = await client.post('/projects', { name: 'plain', type: 'gen_ai' });
      expect(await named('plain', 'gen_ai')).toEqual([exact.id, plain.id]);
      expect(ids(await client.get('/projects/all?type=gen_ai'))).not.toContain(plain.id);
      await client.call('PUT', `/projects/${plain.id}`, { json: { type: 'llm_monitor' } });
      expect(await named('plain', 'gen_ai')).toEqual([exact.id]);
    });

    it('invites users by their addresses, into a group, and hands them a link to sign up by', async () => {
      const { id: G } = await client.post('/groups', { name: 'crew' });
      const asked = { auth_method: 'email', emails: ['Grace@example.org', 'alan@example.org'], role: 'user', group_ids: [G] };
      await client.post('/invite_users', asked);
      const { users } = await client.post('/invite_users', asked);
      expect(users).toMatchObject([
        { email: 'grace@example.org', role: 'user', email_is_verified: false, auth_method: 'email' },
        { email: 'alan@example.org' },
      ]);
      const roles = (await client.get(`/groups/${G}/members`)).members.map(
        ({ email, group_role }: Json) => `${email} ${group_role}`,
      );
      expect(roles.toSorted()).toEqual([`${ADMIN.email} maintainer`, 'alan@example.org member', 'grace@example.org member']);
      const { signup_link } = await client.post(`/signup_link?user_email=${encodeURIComponent('grace@example.org')}`, undefined);
      expect(signup_link).toMatch(new RegExp(`^${server.url}/#/signup/tsi_`));
      const code = signup_link.split('/').at(-1);
      const signUp = (body: object) => client.attempt('POST', '/signup', { json: body, headers: { authorization: '' } });
      expect((await signUp({ code: `${code}x`, password: 'amazing compiler' })).status).toBe(401);
      expect((await signUp({ code, password: 'short' })).status).toBe(422);
      const signedUp = await signUp({ code, password: 'amazing compiler', first_name: 'Grace', last_name: null });
      expect(signedUp).toMatchObject({ status: 200, body: { email: 'grace@example.org' } });
      expect((await signUp({ code, password: 'another password' })).status).toBe(401);
      const form = new URLSearchParams({ username: 'grace@example.org', password: 'amazing compiler' });
      expect((await fetch(`${server.url}/login`, { method: 'POST', body: form })).status).toBe(200);
      const again = await client.attempt('POST', '/signup_link?user_email=grace@example.org');
      expect(again).toMatchObject({ status: 409, body: { code: 'user_signed_up' } });
      expect((await client.attempt('POST', '/signup_link?user_email=nobody@example.org')).status).toBe(404);
      const linkFor = async (email: string) => (await client.post(`/signup_link?user_email=${email}`, undefined)).signup_link;
      const links = [await linkFor('alan@example.org'), await linkFor('alan@example.org')];
      const both = links.map((link) => signUp({ code: link.split('/').at(-1), password: 'amazing compiler' }));
      expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([200, 401]);
      const unknown = { ...asked, emails: ['new@example.org'], group_ids: [P] };
      expect((await client.attempt('POST', '/invite_users', { json: unknown })).status).toBe(404);
      expect((await client.attempt('POST', '/signup_link?user_email=new@example.org')).status).toBe(404);
    });
  });
}
