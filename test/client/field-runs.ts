import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRequest } from '../fixtures/otel/otlp-bodies.ts';
import { ADMIN, type TestServer, type TestSettings } from '../http/harness.ts';
import { send } from '../http/otel/otlp-client.ts';
import { echoProviders } from './echo-provider.ts';
import { type Json, ScriptedClient } from './scripted-client.ts';
import { EVENTS, everyField, everySpan } from './sent-fields.ts';

/** Roles as clients say them, and as they are kept. */
const ROLES = [
  ['human', 'user'],
  ['ai', 'assistant'],
  ['function', 'tool'],
  ['developer', 'developer'],
  ['system', 'system'],
  ['agent', 'agent'],
  ['reviewer of drafts', 'reviewer of drafts'],
] as const;
const DECIDED = { action: 'deny', matched: true, confidence: 0.87, error_message: null, nested: { rules: ['pii', 7] } };

/** Every field that clients send on records and sessions, by every route, against a service that is started by `start`. */
export function fieldRuns(start: (settings: TestSettings) => Promise<TestServer>): void {
  describe('a client that sends every field', () => {
    const prompts: string[] = [];
    let server: TestServer;
    let client: ScriptedClient;
    let P: string;
    let L: string;

    beforeAll(async () => {
      server = await start({ modelProviders: echoProviders(prompts) });
      client = new ScriptedClient({ base: `${server.url}/v2/`, apiKey: ADMIN.api_key });
      ({ P, L } = await client.reach('Fields', 'default'));
      await client.call('PUT', '/integrations/openai', { json: { token: 'sk-echo' } });
    });
    afterAll(() => server.close());

    const stream = async () =>
      (await client.post(`/projects/${P}/log_streams?project_id=${P}`, { name: `stream ${randomUUID()}` })).id as string;
    const post = (run: object, traces: object[], more: object = {}) =>
      client.postTraces(P, { ...run, reliable: true, session_id: null, traces, is_complete: true, ...more });
    const patch = (level: string, id: string, run: object, body: object) =>
      client.call('PATCH', `/projects/${P}/${level}s/${id}?project_id=${P}&${level}_id=${id}`, {
        json: { [`${level}_id`]: id, experiment_id: null, ...run, ...body },
      });
    const search = async (level: string, run: object, ...filters: object[]): Promise<Json[]> =>
      (await client.post(`/projects/${P}/${level}/search?project_id=${P}`, { project_id: P, ...run, filters })).records;
    const contains = (column_id: string, value: string) => ({ type: 'text', column_id, operator: 'contains', value });

    describe('on messages', () => {
      const said = (index: 0 | 1) => ROLES.map((pair) => ({ role: pair[index], content: `says ${pair[0]}` }));
      const answer = (role: string) => ({ role, content: 'done' });
      const kept = { input: said(1), output: answer('assistant') };
      const sent = { input: said(0), output: answer('ai') };

      it('says roles by the words of many frameworks, in a batch, one by one and by updates', async () => {
        const run = { log_stream_id: await stream() };
        const [T, late, patched, byText] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
        const spans = ['llm', 'workflow', 'agent', 'control'].map((type) => ({ type, ...sent, redacted_input: said(0) }));
        await post(run, [{ id: T, spans }]);
        const more = [
          { type: 'llm', id: late, ...sent },
          { type: 'llm', id: patched },
          { type: 'llm', id: byText },
        ];
        await client.post(`/projects/${P}/spans?project_id=${P}`, { spans: more, trace_id: T, parent_id: T, ...run });
        await patch('span', patched, run, sent);
        await patch('span', byText, run, { input: JSON.stringify(sent.input), output: JSON.stringify(sent.output) });
        const tree = await client.get(`/projects/${P}/traces/${T}`);
        expect(tree.spans).toHaveLength(7);
        for (const span of tree.spans) expect(span).toMatchObject(kept);
        for (const span of tree.spans.slice(0, 4)) expect(span.redacted_input).toEqual(said(1));
        expect(await search('spans', run, contains('input', 'reviewer of drafts'))).toHaveLength(7);
      });

      it('says them by OpenTelemetry', async () => {
        const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(said(0)) };
        const headers = { project: 'Fields', logstream: 'default' };
        const body = toRequest({ spans: [{ spanId: '00f067aa0ba902b7', name: 'otel', attributes }] });
        expect((await send(server, body, { headers })).status).toBe(200);
        const [span] = await search('spans', { log_stream_id: L });
        expect(span.input).toEqual(said(1));
      });

      it('has them judged, unknown roles by their own name', async () => {
        const run = { log_stream_id: await stream() };
        const judge = { name: 'roles', scorer_type: 'llm', output_type: 'boolean', scoreable_node_types: ['llm'] };
        const { id: J } = await client.post('/scorers', judge);
        const asked = { user_prompt: 'In {{input}} Talk {{conversation}}', model_name: 'gpt-4.1-mini', num_judges: 1 };
        await client.post(`/scorers/${J}/version/llm?scorer_id=${J}`, asked);
        const scorers = [{ id: J, name: 'roles', scorer_type: 'llm' }];
        await client.post(`/projects/${P}/runs/${run.log_stream_id}/scorer-settings`, { run_id: run.log_stream_id, scorers });
        const [T, S] = [randomUUID(), randomUUID()];
        await post(run, [{ id: T, spans: [{ type: 'llm', id: S, ...sent }] }]);
        await client.poll(`/projects/${P}/spans/${S}`, ({ metric_info }) => metric_info?.roles?.status_type === 'success');
        const prompt = prompts.find((one) => one.includes('says human'))!;
        expect(prompt).toContain('user: says human');
        expect(prompt).toContain('tool: says function');
        expect(prompt).toContain('reviewer of drafts: says reviewer of drafts');
      });

      it('keeps parts, calls of tools, the call that is answered, and what else stands in them', async () => {
        const run = { log_stream_id: await stream() };
        const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' }, index: 0 };
        const parts = [
          { type: 'text', text: 'see' },
          { type: 'file', file_id: 'f-1' },
          { type: 'input_audio', input_audio: { data: 'AA==' } },
        ];
        const input = [
          { role: 'user', content: parts, name: 'Ada' },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', content: '7', tool_call_id: 'call_1', tool_calls: null },
        ];
        const S = randomUUID();
        await post(run, [{ spans: [{ type: 'llm', id: S, input, output: { ...input[1], refusal: null } }] }]);
        const span = await client.get(`/projects/${P}/spans/${S}`);
        expect(span.input).toEqual([input[0], { ...input[1], content: '' }, input[2]]);
        expect(span.output).toEqual({ ...input[1], content: '', refusal: null });
      });
    });

    describe('on what a control decided', () => {
      it('gets the object back, from a batch, as a span and from an update', async () => {
        const run = { log_stream_id: await stream() };
        const [T, late, patched] = [randomUUID(), randomUUID(), randomUUID()];
        const facts = { control_id: 12, agent_name: 'guard', check_stage: 'pre', applies_to: 'llm_call' };
        await post(run, [
          { id: T, spans: [{ type: 'control', ...facts, input: 'asked', output: DECIDED, redacted_output: DECIDED }] },
        ]);
        const more = [
          { type: 'control', id: late, output: DECIDED },
          { type: 'control', id: patched, output: 'not yet' },
        ];
        await client.post(`/projects/${P}/spans?project_id=${P}`, { spans: more, trace_id: T, parent_id: T, ...run });
        await patch('span', patched, run, { output: DECIDED });
        const { spans } = await client.get(`/projects/${P}/traces/${T}`);
        expect(spans.map(({ output }: Json) => output)).toEqual([DECIDED, DECIDED, DECIDED]);
        expect(spans[0]).toMatchObject({ ...facts, input: 'asked', redacted_output: DECIDED });
      });

      it('finds it by its JSON, and exports it', async () => {
        const run = { log_stream_id: await stream() };
        await post(run, [
          {
            spans: [
              { type: 'control', output: DECIDED },
              { type: 'control', output: 'a text' },
            ],
          },
        ]);
        for (const value of ['"action":"deny"', '"confidence":0.87', 'rules'])
          expect(await search('spans', run, contains('output', value)), value).toMatchObject([{ output: DECIDED }]);
        const asked = { ...run, root_type: 'span', column_ids: ['output'], filters: [contains('output', 'deny')] };
        const lines = await client.post(`/projects/${P}/export_records`, { ...asked, export_format: 'jsonl' });
        expect(JSON.parse(lines)).toEqual({ output: DECIDED });
        const table: string = await client.post(`/projects/${P}/export_records`, { ...asked, export_format: 'csv' });
        expect(table).toBe(`output\r\n"${JSON.stringify(DECIDED).replaceAll('"', '""')}"\r\n`);
      });
    });

    describe('of a write', () => {
      it('marked as not reliable can read it once it is acknowledged, as of any other', async () => {
        for (const reliable of [false, true]) {
          const run = { log_stream_id: await stream(), reliable };
          const [T, S] = [randomUUID(), randomUUID()];
          await post(run, [{ id: T, input: 'one' }], { reliable, is_complete: false });
          expect(await search('traces', run)).toMatchObject([{ id: T, input: 'one' }]);
          await client.post(`/projects/${P}/spans`, { spans: [{ type: 'tool', id: S }], trace_id: T, parent_id: T, ...run });
          expect(await search('spans', run)).toMatchObject([{ id: S }]);
          await patch('span', S, run, { output: 'two' });
          expect(await search('spans', run)).toMatchObject([{ output: 'two' }]);
          await patch('trace', T, run, { output: 'three', is_complete: true });
          expect(await client.get(`/projects/${P}/traces/${T}`)).toMatchObject({ output: 'three', is_complete: true });
          const { id } = await client.post(`/projects/${P}/sessions`, { ...run, name: 's', external_id: 'x' });
          expect((await search('sessions', run)).map((session) => session.id)).toContain(id);
        }
      });

      it('marked as not reliable is told of its failure, as of any other', async () => {
        const run = { log_stream_id: await stream(), reliable: false };
        const [spans, none] = [[{ type: 'tool' }], randomUUID()];
        const failing = [
          ['POST', 'traces', { traces: [{ input: 5 }] }, 422],
          ['POST', 'traces', { traces: [{}], log_stream_id: none }, 404],
          ['POST', 'spans', { spans, trace_id: none, parent_id: none }, 404],
          ['PATCH', `traces/${none}`, { output: 'x' }, 404],
          ['PATCH', `spans/${none}`, { output: 'x' }, 404],
        ] as const;
        for (const [method, path, body, expected] of failing) {
          const { status } = await client.attempt(method, `/projects/${P}/${path}`, { json: { ...run, ...body } });
          expect(status, path).toBe(expected);
        }
      });

      it('names client, method and run, and is answered with every field', async () => {
        const L = await stream();
        const meta = { logging_method: 'python_client', client_version: '1.2.3', reliable: true };
        const [T, S] = [randomUUID(), randomUUID()];
        const run = { log_stream_id: L, experiment_id: null, metrics_testing_id: null, ...meta };
        const place = { project_id: P, project_name: 'Fields', log_stream_id: L, experiment_id: null, metrics_testing_id: null };
        const traces = [{ id: T, spans: [{ type: 'workflow', id: S, spans: [{ type: 'tool' }] }] }];
        const logged = await post(run, traces, { session_external_id: 'ext-9', include_trace_ids: true, is_complete: false });
        expect(logged).toEqual({
          ...place,
          session_id: expect.any(String),
          records_count: 3,
          traces_count: 1,
          spans_count: 2,
          trace_ids: [T],
        });
        const { session_id } = logged;
        const more = { spans: [{ type: 'tool' }], trace_id: T, parent_id: S, ...run };
        const added = await client.post(`/projects/${P}/spans`, more);
        expect(added).toEqual({ ...place, session_id, records_count: 1, trace_id: T, parent_id: S });
        const update = { status_code: 201, tags: ['late'], duration_ns: 5, input: 'in', output: 'out' };
        const span = await patch('span', S, run, update);
        expect(span.body).toEqual({ ...place, session_id, records_count: 1, span_id: S });
        const trace = await patch('trace', T, run, { ...update, is_complete: true });
        expect(trace.body).toEqual({ ...place, session_id, records_count: 1, trace_id: T });
        const { duration_ns, ...fields } = update;
        const tree = await client.get(`/projects/${P}/traces/${T}`);
        expect(tree).toMatchObject({ ...fields, metrics: { duration_ns }, is_complete: true });
        expect(tree.spans[0]).toMatchObject({ ...fields, metrics: { duration_ns } });
        expect(await search('sessions', run, contains('external_id', 'ext-9'))).toMatchObject([{ id: session_id }]);
      });
    });

    describe('on records', () => {
      it.each(everySpan())('gets every field of a span of type $type back', async (span) => {
        const run = { log_stream_id: await stream() };
        const { given } = span;
        await post(run, [{ spans: [span.sent] }]);
        const read = await client.get(`/projects/${P}/spans/${span.sent.id}`);
        for (const [field, value] of Object.entries(given)) expect(read[field], field).toEqual(value);
        const [found] = await search('spans', run);
        for (const [field, value] of Object.entries(given)) expect(found[field], field).toEqual(value);
        const lines: string = await client.post(`/projects/${P}/export_records`, { ...run, root_type: 'span', redact: false });
        const line = JSON.parse(lines);
        for (const [field, value] of Object.entries(given)) expect(line[field], field).toEqual(value);
      });

      it('gets every field of a trace back, and what the service tells of it', async () => {
        const run = { log_stream_id: await stream() };
        const T = randomUUID();
        const { sent, given } = everyField('trace');
        await post(run, [
          { ...sent, id: T, input: 'in', output: 'out', redacted_input: 'i*', redacted_output: 'o*', spans: [{ type: 'tool' }] },
        ]);
        const read = await client.get(`/projects/${P}/traces/${T}`);
        expect(read).toMatchObject({
          ...given,
          ...{ id: T, trace_id: T, session_id: T, project_id: P, run_id: run.log_stream_id, parent_id: null },
          ...{ input: 'in', output: 'out', redacted_input: 'i*', redacted_output: 'o*', type: 'trace' },
          ...{ has_children: true, is_complete: true, updated_at: expect.any(String), metric_info: {} },
          ...{ feedback_rating_info: {}, annotations: {}, annotation_aggregates: {}, annotation_truths: {} },
        });
        const counted = await client.post(`/projects/${P}/traces/search`, { ...run, include_counts: true });
        expect(counted.records).toMatchObject([{ ...given, num_spans: 1 }]);
      });

      it('filters by the numbers, texts and marks of its own metrics', async () => {
        const run = { log_stream_id: await stream() };
        const metrics = { score: 0.25, label: 'good', passed: true, kinds: ['a', 'b'], detail: { x: 1 } };
        await post(run, [{ metrics }, {}]);
        const own = [
          { type: 'number', column_id: 'metrics/score', operator: 'lt', value: 0.5 },
          contains('metrics/label', 'oo'),
          { type: 'boolean', column_id: 'metrics/passed', operator: 'eq', value: true },
          { type: 'collection', column_id: 'metrics/kinds', operator: 'contains', value: ['b'] },
        ];
        for (const filter of own) expect(await search('traces', run, filter), filter.column_id).toMatchObject([{ metrics }]);
      });

      it('takes null for every field, and fields that nobody knows', async () => {
        const run = { log_stream_id: await stream() };
        const spans = everySpan().map(({ sent }) => ({
          ...Object.fromEntries(Object.keys(sent).map((field) => [field, null])),
          type: sent.type,
          made_up: { by: ['a', 'client'] },
        }));
        const reply = await post(run, [{ type: null, spans, made_up: 1 }]);
        expect(reply.records_count).toBe(spans.length + 1);
      });

      it('keeps events of a model call, each kind with all its fields', async () => {
        const run = { log_stream_id: await stream() };
        const S = randomUUID();
        await post(run, [{ spans: [{ type: 'llm', id: S, events: EVENTS }] }]);
        expect((await client.get(`/projects/${P}/spans/${S}`)).events).toEqual(EVENTS);
      });
    });

    it('gets every field of a session back', async () => {
      const run = { log_stream_id: await stream() };
      const first = await client.post(`/projects/${P}/sessions`, { ...run, name: 'first' });
      const sent = { name: 'second', external_id: 'ext-2', previous_session_id: first.id, user_metadata: { plan: 'gold' } };
      const meta = { logging_method: 'typescript_client', client_version: '1', reliable: false, experiment_id: null };
      const made = await client.post(`/projects/${P}/sessions?project_id=${P}`, { ...run, ...meta, ...sent });
      const { user_metadata: _not_told, ...told } = sent;
      expect(made).toMatchObject({ ...told, id: expect.any(String), project_id: P, project_name: 'Fields' });
      await post(run, [{ input: 'q', output: 'a', metrics: { duration_ns: 3 } }], { session_id: made.id });
      const facts = { ...sent, type: 'session', session_id: made.id, input: 'q', output: 'a', metrics: { duration_ns: 3 } };
      expect(await client.get(`/projects/${P}/sessions/${made.id}`)).toMatchObject({
        ...facts,
        num_traces: 1,
        has_children: true,
      });
      const [found] = await search('sessions', run, { type: 'text', column_id: 'external_id', operator: 'eq', value: 'ext-2' });
      expect(found).toMatchObject(facts);
    });
  });
}
