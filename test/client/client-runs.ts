import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, type TestServer, type TestSettings } from '../http/harness.ts';
import { echoProviders } from './echo-provider.ts';
import { aTrace, type Json, ScriptedClient } from './scripted-client.ts';

const modelProviders = echoProviders([]);

const SCORER = 'def scorer(record, **context):\n    return len(str(record["output"]))\n';

const SPELLINGS = [
  ['the neutral words and /v2', { prefix: '/v2', words: {} }],
  ['the neutral words without /v2', { prefix: '', words: {} }],
  [
    'other spellings',
    { prefix: '/v2', words: { hosted: 'cloud_model_hosting', small: 'finetuned', door: 'gateway', _small: '_finetuned' } },
  ],
] as const;

/** Everything that the client does, in its order, against a service that is started by `start`. */
export function clientRuns(start: (settings: TestSettings) => Promise<TestServer>): void {
  describe.each(SPELLINGS)('an off-the-shelf client, with %s', (_name, { prefix, words }) => {
    const keyHeaders = Object.keys(words).length > 0 ? ['Other-API-Key'] : ['Service-API-Key'];
    const [hosting = 'cloud_model_hosting', small = 'finetuned', door = 'gateway'] = Object.keys(words);
    let server: TestServer;
    let client: ScriptedClient;
    let P: string;
    let L: string;

    beforeAll(async () => {
      server = await start({ modelProviders, wordAliases: words, apiKeyHeaders: keyHeaders });
      client = new ScriptedClient({ base: `${server.url}${prefix}/`, apiKey: ADMIN.api_key });
      await client.start();
      await client.call('PUT', '/integrations/openai', { json: { token: 'sk-echo' } });
    });
    afterAll(() => server.close());

    it('logs in as often as it likes, in every way', async () => {
      for (let at = 0; at < 17; at += 1) await client.start();
      const form = new URLSearchParams({ username: ADMIN.email, password: ADMIN.password }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const res = await fetch(`${server.url}${prefix}/login`, { method: 'POST', headers, body: form });
      const { access_token } = (await res.json()) as { access_token: string };
      const cookie = (res.headers.get('set-cookie') ?? '').split(';')[0]!;
      expect(cookie).toMatch(/^refresh_token=/);
      const renewed = await fetch(`${server.url}${prefix}/refresh_token`, { method: 'POST', headers: { cookie } });
      expect(((await renewed.json()) as Json).access_token).toBeTruthy();
      const asKey = { headers: { [keyHeaders[0]!]: ADMIN.api_key } };
      for (const init of [asKey, { headers: { authorization: `Bearer ${access_token}` } }])
        expect((await fetch(`${server.url}${prefix}/current_user`, init)).status).toBe(200);
    });

    it('finds or makes project and log stream', async () => {
      ({ P, L } = await client.reach('Harbour', 'default'));
      expect(await client.reach('Harbour', 'default')).toEqual({ P, L });
      expect((await client.get('/projects/all?project_type=gen_ai')).map(({ id }: Json) => id)).toContain(P);
    });

    it('starts a session, and finds it again by its external id', async () => {
      const byExternalId = () =>
        client.post(`/projects/${P}/sessions/search?project_id=${P}`, {
          filters: [{ column_id: 'external_id', operator: 'eq', value: 'ext-1', type: 'text' }],
          limit: 1,
          log_stream_id: L,
        });
      expect((await byExternalId()).records).toEqual([]);
      const session = { log_stream_id: L, name: 'visit', previous_session_id: null, external_id: 'ext-1', user_metadata: {} };
      const { id } = await client.post(`/projects/${P}/sessions?project_id=${P}`, session);
      expect((await byExternalId()).records).toMatchObject([{ id }]);
      const sent = { log_stream_id: L, experiment_id: null, reliable: true, session_id: id, traces: [aTrace()] };
      const reply = await client.postTraces(P, { ...sent, is_complete: true, include_trace_ids: false });
      expect(reply).toMatchObject({ project_id: P, project_name: 'Harbour', records_count: 5, traces_count: 1, session_id: id });
    });

    it('streams a trace whose parts arrive before it', async () => {
      const { spans: _spans, ...trace } = aTrace({ input: 'q streamed' });
      const [{ spans: inner, ...agent }] = [aTrace().spans[1]];
      const run = { experiment_id: null, log_stream_id: L };
      const span = (parent_id: string, one: Json) =>
        client.eventually('POST', `/projects/${P}/spans?project_id=${P}`, {
          spans: [one],
          trace_id: trace.id,
          parent_id,
          reliable: false,
          ...run,
        });
      const patch = (level: string, id: string, body: object) =>
        client.eventually('PATCH', `/projects/${P}/${level}s/${id}?project_id=${P}&${level}_id=${id}`, {
          [`${level}_id`]: id,
          ...run,
          ...body,
        });
      const late = [
        span(trace.id, { ...agent, spans: [] }),
        patch('trace', trace.id, { output: 'done', status_code: 200, tags: ['late'], is_complete: true }),
        patch('span', agent.id, { output: 'text', status_code: null, tags: null }),
      ];
      const one = { ...run, reliable: true, session_id: null, traces: [{ ...trace, spans: [] }] };
      await client.postTraces(P, { ...one, is_complete: false, include_trace_ids: false });
      await Promise.all([...late, span(agent.id, inner[0])]);
      const tree = await client.get(`/projects/${P}/traces/${trace.id}`);
      expect(tree).toMatchObject({ output: 'done', is_complete: true, spans: [{ id: agent.id, output: 'text' }] });
      expect(tree.spans[0].spans).toMatchObject([{ id: inner[0].id, type: 'llm' }]);
      expect(await client.get(`/projects/${P}/spans/${agent.id}`)).toMatchObject({ id: agent.id, trace_id: trace.id });
    });

    it('makes, extends and reads datasets', async () => {
      const form = new FormData();
      const parts = { name: 'questions', project_id: P, draft: 'false', hidden: 'false', append_suffix_if_duplicate: 'false' };
      for (const [name, value] of Object.entries(parts)) form.set(name, value);
      const lines = '{"input":"When is high tide?","output":"noon","metadata":"{\\"port\\":\\"east\\"}"}\n';
      form.set('file', new Blob([lines], { type: 'application/octet-stream' }), 'questions');
      const { id: D } = await client.postForm('/datasets?format=jsonl', form);
      const named = { filters: [{ name: 'name', value: 'questions', operator: 'eq' }] };
      expect((await client.post('/datasets/query', named)).datasets).toMatchObject([{ id: D }]);
      expect((await client.get('/datasets?starting_token=0&limit=100')).datasets).toHaveLength(1);
      const used = { filters: [{ name: 'used_in_project', value: P }] };
      expect((await client.post('/datasets/query?limit=100', used)).datasets).toHaveLength(1);
      await client.get(`/datasets/${D}`);
      const etag = (await client.call('GET', `/datasets/${D}/content?limit=1`)).headers.get('etag')!;
      const edits = [{ edit_type: 'append_row', values: { input: 'And low tide?', output: 'six' } }];
      await client.call('PATCH', `/datasets/${D}/content`, { json: { edits }, headers: { 'if-match': etag } });
      const stale = await client.attempt('PATCH', `/datasets/${D}/content`, { json: { edits }, headers: { 'if-match': etag } });
      expect(stale.status).toBe(412);
      const content = await client.get(`/datasets/${D}/content?starting_token=0`);
      expect(content.rows.map(({ values_dict }: Json) => values_dict.input)).toEqual(['When is high tide?', 'And low tide?']);
      expect(content.next_starting_token ?? null).toBeNull();
      expect((await client.postNothing(`/datasets/${D}/versions/query`)).versions).toHaveLength(2);
      expect((await client.get(`/datasets/${D}/versions/1/content`)).rows).toHaveLength(1);
      expect((await client.get(`/datasets/${D}/projects?limit=100`)).projects).toMatchObject([{ id: P }]);
      const { dataset_id: E } = await client.post('/datasets/extend', {
        count: 1,
        prompt_settings: { model_alias: 'gpt-4.1-mini' },
      });
      await client.poll(`/datasets/extend/${E}`, ({ steps_completed, steps_total }) => steps_completed === steps_total);
      expect((await client.get(`/datasets/${E}/content?starting_token=0`)).rows).toHaveLength(1);
      await client.get(`/datasets/${E}`);
      await client.call('DELETE', `/datasets/${E}`);
    });

    it('makes scorers, enables them, and reads their scores', async () => {
      const source = new File([SCORER], 'scorer.py', { type: 'text/x-python' });
      const form = new FormData();
      form.set('file', source);
      form.set('scoreable_node_types', '["llm"]');
      form.set('required_scorers', '["correctness"]');
      const { task_id } = await client.postForm('/scorers/code/validate', form);
      const isDone = ({ status }: Json) => status === 'completed' || status === 'failed';
      const { result } = await client.poll(`/scorers/code/validate/${task_id}`, isDone);
      const verdict = typeof result === 'string' ? JSON.parse(result) : result;
      expect(verdict).toMatchObject({ result: { result_type: 'valid', scoreable_node_types: ['llm'] } });
      const code = { name: 'my_code', scorer_type: 'code', description: '', tags: [], scoreable_node_types: ['llm'] };
      const { id: S } = await client.post('/scorers', code);
      const version = new FormData();
      version.set('file', source);
      version.set('validation_result', JSON.stringify(verdict));
      await client.postForm(`/scorers/${S}/version/code?scorer_id=${S}`, version);
      const defaults = { model_name: 'gpt-4.1-mini', num_judges: 3 };
      const judge = { name: 'my_judge', scorer_type: 'llm', description: '', tags: [], defaults, scoreable_node_types: ['llm'] };
      const { id: J } = await client.post('/scorers', { ...judge, output_type: 'boolean' });
      const asked = { user_prompt: 'Is {{output}} right for {{input}}?', cot_enabled: true, ...defaults };
      await client.post(`/scorers/${J}/version/llm?scorer_id=${J}`, asked);
      const tuned = await client.post('/scorers', { name: 'my_small', scorer_type: 'finetuned', description: '', tags: [] });
      await client.post(`/scorers/${tuned.id}/version/${small}?scorer_id=${tuned.id}`, {
        lora_task_id: 1,
        prompt: 'Judge {{output}}',
      });

      const names = { filters: [{ name: 'name', value: ['my_code', 'my_judge'], operator: 'one_of' }] };
      const { scorers, next_starting_token = null } = await client.post('/scorers/list?starting_token=0&limit=100', names);
      expect(next_starting_token).toBeNull();
      expect(scorers.map(({ name }: Json) => name).sort()).toEqual(['my_code', 'my_judge']);
      const pinned = await client.get(`/scorers/${S}/version?scorer_id=${S}&version=1`);
      const entries = scorers.map(({ id, name, scorer_type }: Json) =>
        name === 'my_code' ? { id, name, scorer_type, scorer_version: pinned } : { id, name, scorer_type },
      );
      const settings = { run_id: L, scorers: entries };
      const enabled = await client.post(`/projects/${P}/runs/${L}/scorer-settings?project_id=${P}&run_id=${L}`, settings);
      expect(enabled).toMatchObject({ run_id: L, scorers: [{ name: expect.any(String) }, { name: expect.any(String) }] });

      const trace = aTrace();
      const llm = trace.spans[1].spans[0];
      const sent = { log_stream_id: L, experiment_id: null, reliable: true, session_id: null, traces: [trace] };
      await client.postTraces(P, { ...sent, is_complete: true, include_trace_ids: false });
      const ended = (info: Json) => ['success', 'error', 'failed'].includes(info?.status_type);
      const span = await client.poll(`/projects/${P}/spans/${llm.id}`, ({ metric_info }) =>
        ['my_code', 'my_judge'].every((name) => ended(metric_info?.[name])),
      );
      expect(span.metric_info).toMatchObject({
        my_code: { status_type: 'success', value: expect.any(Number) },
        my_judge: { status_type: 'success', value: true, num_judges: 3, model_alias: 'gpt-4.1-mini' },
      });
    });

    it('runs experiments, of traces of its own and of a prompt', async () => {
      expect(await client.get(`/projects/${P}/experiments?project_id=${P}`)).toEqual([]);
      const named = { filters: [{ name: 'name', value: 'questions', operator: 'eq' }] };
      const [dataset] = (await client.post('/datasets/query', named)).datasets;
      const at = { dataset_id: dataset.id, version_index: dataset.current_version_index };
      const { id: E } = await client.post(`/projects/${P}/experiments`, { name: 'by hand', task_type: 16, dataset: at });
      expect(await client.get(`/projects/${P}/experiments/${E}/tags`)).toEqual([]);
      const tag = { key: 'branch', value: 'main', tag_type: 'generic' };
      const { id: T } = await client.post(`/projects/${P}/experiments/${E}/tags`, tag);
      await client.call('PUT', `/projects/${P}/experiments/${E}/tags/${T}`, { json: { ...tag, value: 'other' } });
      const { rows } = await client.get(`/datasets/${dataset.id}/content?starting_token=0`);
      const traces = rows.map(({ values_dict }: Json) =>
        aTrace({
          input: values_dict.input,
          dataset_input: values_dict.input,
          dataset_output: values_dict.output,
          dataset_metadata: JSON.parse(values_dict.metadata ?? '{}'),
        }),
      );
      const sent = { experiment_id: E, log_stream_id: null, reliable: true, session_id: null, traces };
      expect(await client.postTraces(P, { ...sent, is_complete: true })).toMatchObject({ experiment_id: E, traces_count: 2 });
      expect(await client.get(`/projects/${P}/experiments/${E}`)).toMatchObject({ name: 'by hand', num_traces: 2 });
      expect((await client.postNothing(`/projects/${P}/experiments/available_columns`)).columns).not.toEqual([]);

      const template = { name: 'greeting', template: [{ role: 'user', content: 'hello {{input}}' }] };
      const { selected_version_id } = await client.post('/templates', template);
      const prompted = await client.post(`/projects/${P}/experiments`, { name: 'prompted', task_type: 16, dataset: at });
      const job = {
        job_name: 'playground_run',
        project_id: P,
        run_id: prompted.id,
        prompt_template_version_id: selected_version_id,
        prompt_settings: { model_alias: 'gpt-4.1-mini' },
        dataset_id: dataset.id,
        scorers: null,
        task_type: 16,
      };
      const { message, job_id } = await client.post('/jobs', job);
      expect(message).toBeTruthy();
      const done = await client.poll(`/jobs/${job_id}`, ({ status }) => !['pending', 'processing'].includes(status));
      expect(done).toMatchObject({ status: 'completed', error_message: null });
      expect(await client.get(`/projects/${P}/runs/${prompted.id}/jobs`)).toMatchObject([{ id: job_id }]);
      const found = await client.post(`/projects/${P}/traces/search?project_id=${P}`, {
        project_id: P,
        experiment_id: prompted.id,
      });
      expect(found.records.map(({ output }: Json) => output)).toEqual(['hello to you', 'hello to you']);
      await client.call('DELETE', `/projects/${P}/experiments/${E}`);
    });

    it('searches, counts, exports and deletes', async () => {
      const search = {
        project_id: P,
        log_stream_id: L,
        filters: [{ type: 'text', column_id: 'input', operator: 'contains', value: 'q', case_sensitive: false }],
        sort: { column_id: 'created_at', ascending: false },
        limit: 10,
      };
      const { records } = await client.post(`/projects/${P}/traces/search?project_id=${P}`, search);
      expect(records.length).toBeGreaterThan(1);
      const time = { start_time: new Date(Date.now() - 3_600_000).toISOString(), end_time: new Date().toISOString() };
      await client.post(`/projects/${P}/metrics/search`, { project_id: P, log_stream_id: L, ...time, interval: 5 });
      const asked = {
        project_id: P,
        log_stream_id: L,
        root_type: 'trace',
        export_format: 'jsonl',
        filters: [],
        sort: search.sort,
      };
      const lines: string = await client.post(`/projects/${P}/export_records`, asked);
      expect(
        lines
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).id),
      ).toHaveLength(records.length);
      expect((await client.post(`/projects/${P}/traces/available_columns`, { log_stream_id: L })).columns).not.toEqual([]);
      const { scorers } = await client.post('/scorers/list', { filters: [{ name: 'name', value: 'my_code', operator: 'eq' }] });
      await client.post(`/projects/${P}/recompute_metrics`, { scorer_ids: [scorers[0].id], log_stream_id: L });
      const ids = records.map(({ id }: Json) => id);
      const chosen = { filters: [{ type: 'id', column_id: 'id', operator: 'one_of', value: ids }], log_stream_id: L };
      await client.post(`/projects/${P}/traces/delete`, chosen);
      expect((await client.post(`/projects/${P}/traces/search`, search)).records).toEqual([]);
      const typed = [
        { name: 'scorer_type', value: 'code', operator: 'eq' },
        { name: 'name', value: 'my_code', operator: 'eq' },
      ];
      const [scorer] = (await client.post('/scorers/list', { filters: typed })).scorers;
      await client.call('DELETE', `/scorers/${scorer.id}`);
      expect((await client.call('DELETE', `/projects/${P}`)).body.message).toBeTruthy();
    });

    it('knows providers by the words it uses', async () => {
      for (const word of [hosting, door]) {
        const { status } = await client.attempt('PUT', `/integrations/${word}`, { json: {} });
        expect(status, word).toBe(422);
      }
      expect(client.logins).toBeGreaterThan(17);
    });
  });
}
