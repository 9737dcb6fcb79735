import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRequest } from '../fixtures/otel/otlp-bodies.ts';
import { ADMIN, type TestServer, type TestSettings } from '../http/harness.ts';
import { send } from '../http/otel/otlp-client.ts';
import { echoProviders } from './echo-provider.ts';
import { type Json, ScriptedClient } from './scripted-client.ts';

/** Text that a database cannot hold as it is, and that JSON and CSV quote. */
const HARD = 'NUL \0, halves \ud83e, \uf8ff, "quotes", \n=line';
const [ASKED, ANSWERED] = [
  [
    { type: 'text', text: 'What does this quixotic chart say?' },
    { type: 'file', file_id: 'f-1' },
    { type: 'image_url', image_url: { url: 'https://pictures.example/secretword.png', detail: 'low' } },
    { type: 'text', text: `Say it like ${HARD}` },
  ],
  [{ type: 'text', text: 'It says zephyr.' }],
];
const ASKED_TEXT = `What does this quixotic chart say?\nSay it like ${HARD}`;
const BLOCKS = { input: ASKED, output: ANSWERED };
const REDACTED = [{ type: 'text', text: '***' }];

/** Payloads of content blocks by every route that takes them, from the body to the deletion, against a service that is started by `start`. */
export function contentRuns(start: (settings: TestSettings) => Promise<TestServer>): void {
  describe('a client that sends content blocks', () => {
    const prompts: string[] = [];
    let server: TestServer;
    let client: ScriptedClient;
    let P: string;
    let L: string;

    beforeAll(async () => {
      server = await start({ modelProviders: echoProviders(prompts) });
      client = new ScriptedClient({ base: `${server.url}/v2/`, apiKey: ADMIN.api_key });
      ({ P, L } = await client.reach('Pictures', 'default'));
      await client.call('PUT', '/integrations/openai', { json: { token: 'sk-echo' } });
    });
    afterAll(() => server.close());

    const stream = async () =>
      (await client.post(`/projects/${P}/log_streams?project_id=${P}`, { name: `stream ${randomUUID()}` })).id as string;
    const post = (run: object, traces: object[], more: object = {}) =>
      client.postTraces(P, { ...run, reliable: true, session_id: null, traces, is_complete: true, ...more });
    const search = async (level: string, run: object, ...filters: object[]): Promise<Json[]> =>
      (await client.post(`/projects/${P}/${level}/search?project_id=${P}`, { project_id: P, ...run, filters })).records;
    const text = (column_id: string, operator: string, value: string, more: object = {}) => ({
      type: 'text',
      column_id,
      operator,
      value,
      ...more,
    });
    const ids = (records: Json[]) => records.map(({ id }) => id).sort();

    it('gets them back as they were, by batch, one by one, and from the search', async () => {
      const run = { log_stream_id: await stream(), experiment_id: null };
      const [T, W, A] = [randomUUID(), randomUUID(), randomUUID()];
      const agent = { type: 'agent', id: A, ...BLOCKS, spans: [] };
      const workflow = {
        type: 'workflow',
        id: W,
        ...BLOCKS,
        redacted_input: REDACTED,
        redacted_output: REDACTED,
        spans: [agent],
      };
      const reply = await post(run, [{ id: T, type: 'trace', ...BLOCKS, redacted_input: REDACTED, spans: [workflow] }]);
      expect(reply).toMatchObject({ traces_count: 1, records_count: 3 });
      const tree = await client.get(`/projects/${P}/traces/${T}`);
      expect(tree).toMatchObject({ ...BLOCKS, redacted_input: REDACTED, redacted_output: null });
      expect(tree.spans).toMatchObject([{ ...BLOCKS, redacted_output: REDACTED, spans: [{ id: A, ...BLOCKS }] }]);
      expect(await client.get(`/projects/${P}/spans/${A}`)).toMatchObject(BLOCKS);
      expect(await search('traces', run)).toMatchObject([{ id: T, ...BLOCKS }]);
      expect(ids(await search('spans', run))).toEqual([W, A].sort());
      const partial = await client.post(`/projects/${P}/traces/partial_search`, {
        ...run,
        select_columns: { column_ids: ['output'] },
      });
      expect(partial.records).toMatchObject([{ output: ANSWERED }]);
    });

    it('streams them: spans of a trace, and changes of both', async () => {
      const run = { log_stream_id: await stream(), experiment_id: null };
      const [T, W] = [randomUUID(), randomUUID()];
      await post(run, [{ id: T, input: ASKED, spans: [] }], { is_complete: false });
      const workflow = { type: 'workflow', id: W, input: ASKED, spans: [] };
      await client.post(`/projects/${P}/spans?project_id=${P}`, {
        spans: [workflow],
        trace_id: T,
        parent_id: T,
        reliable: false,
        ...run,
      });
      const patch = (level: string, id: string, body: object) =>
        client.call('PATCH', `/projects/${P}/${level}s/${id}?project_id=${P}`, {
          json: { [`${level}_id`]: id, ...run, ...body },
        });
      await patch('span', W, { output: ANSWERED });
      await patch('trace', T, { output: ANSWERED, is_complete: true });
      const tree = await client.get(`/projects/${P}/traces/${T}`);
      expect(tree).toMatchObject({ ...BLOCKS, is_complete: true, spans: [BLOCKS] });
      await patch('trace', T, { input: 'plain again', output: ASKED });
      expect(await search('traces', run, text('input', 'eq', 'plain again'))).toMatchObject([{ output: ASKED }]);
      expect(await search('traces', run, text('output', 'eq', 'It says zephyr.'))).toEqual([]);
    });

    it('filters, sorts and searches by their texts joined, and by nothing else of them', async () => {
      const run = { log_stream_id: await stream() };
      const [found, other] = [randomUUID(), randomUUID()];
      const spans = (id: string) => [{ type: 'workflow', id, ...BLOCKS }];
      const later = { id: other, input: 'Z', output: 'plain', created_at: '2026-01-02T00:00:00Z' };
      await post(run, [{ id: found, ...BLOCKS, spans: spans(randomUUID()), created_at: '2026-01-01T00:00:00Z' }, later]);
      for (const filter of [
        text('input', 'contains', 'chart say?\nSay it'),
        text('input', 'contains', '"QUOTES", \n=LINE', { case_sensitive: false }),
        text('output', 'eq', 'It says zephyr.'),
        text('output', 'one_of', ['nothing', 'It says zephyr.'] as never),
      ]) {
        expect(ids(await search('traces', run, filter)), JSON.stringify(filter)).toEqual([found]);
        expect(await search('spans', run, filter), JSON.stringify(filter)).toHaveLength(1);
        expect(await search('sessions', run, filter), JSON.stringify(filter)).toMatchObject([{ id: found, ...BLOCKS }]);
      }
      for (const value of ['secretword', 'file_id', '"text"', 'f-1'])
        expect(await search('traces', run, text('input', 'contains', value)), value).toEqual([]);
      while ((await server.cradle.recordIndex.advance(50)) > 0);
      const byWords = async (words: string) => ids(await search('traces', run, text('words', 'contains', words)));
      expect(await byWords('QUIXOTIC zephyr chart')).toEqual([found]);
      expect(await byWords('secretword')).toEqual([]);
      const sort = { column_id: 'input', ascending: true };
      const sorted = await client.post(`/projects/${P}/traces/search`, { ...run, sort });
      expect(sorted.records.map(({ id }: Json) => id)).toEqual([found, other]);
      const count = await client.post(`/projects/${P}/traces/count`, { ...run, filters: [text('output', 'contains', 'zephyr')] });
      expect(count).toEqual({ total_count: 1 });
    });

    it('reads them of a session, whose first and last trace have them', async () => {
      const run = { log_stream_id: await stream() };
      const session = { ...run, name: 'visit', previous_session_id: null, external_id: 'ext-1', user_metadata: {} };
      const { id: S } = await client.post(`/projects/${P}/sessions?project_id=${P}`, session);
      const at = (minute: number) => `2026-01-01T00:0${minute}:00Z`;
      const traces = [
        { input: ASKED, output: 'x', created_at: at(1) },
        { input: 'y', output: ANSWERED, created_at: at(2) },
      ];
      await post(run, traces, { session_id: S });
      const read = await client.get(`/projects/${P}/sessions/${S}`);
      expect(read).toMatchObject({
        ...BLOCKS,
        traces: [
          { input: ASKED, output: 'x' },
          { input: 'y', output: ANSWERED },
        ],
      });
      expect(await search('sessions', run, text('input', 'contains', 'quixotic'))).toMatchObject([{ id: S, ...BLOCKS }]);
      expect(await search('sessions', run, text('output', 'contains', '"type"'))).toEqual([]);
    });

    it('exports them whole, as lines and as a table, and redacted ones in their place', async () => {
      const run = { log_stream_id: await stream() };
      await post(run, [{ ...BLOCKS, spans: [{ type: 'workflow', ...BLOCKS, redacted_input: REDACTED }] }]);
      const exported = (root_type: string, export_format: string, redact = false): Promise<string> =>
        client.post(`/projects/${P}/export_records`, {
          ...run,
          root_type,
          export_format,
          redact,
          column_ids: ['input', 'output'],
        });
      for (const root_type of ['trace', 'span', 'session'])
        expect(JSON.parse(await exported(root_type, 'jsonl')), root_type).toEqual(BLOCKS);
      const quoted = (value: object) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
      expect(await exported('trace', 'csv')).toBe(`input,output\r\n${quoted(ASKED)},${quoted(ANSWERED)}\r\n`);
      expect(JSON.parse(await exported('span', 'jsonl', true))).toEqual({ input: REDACTED, output: ANSWERED });
    });

    it('runs experiments on them, and makes rows of their texts', async () => {
      const { id: E } = await client.post(`/projects/${P}/experiments`, { name: 'pictures', task_type: 16 });
      const [run, T] = [{ experiment_id: E, log_stream_id: null }, randomUUID()];
      await post(run, [{ id: T, ...BLOCKS, dataset_input: 'row' }]);
      expect(await search('traces', run, text('input', 'contains', 'quixotic'))).toMatchObject([{ id: T, ...BLOCKS }]);
      const form = new FormData();
      form.set('name', 'of records');
      form.set('file', new Blob(['{"input":"first","output":"x"}\n']), 'rows');
      const { id: D } = await client.postForm('/datasets?format=jsonl', form);
      const edits = [{ edit_type: 'copy_record_data', project_id: P, ids: [T] }];
      await client.call('PATCH', `/datasets/${D}/content`, { json: { edits } });
      const rows: Json[] = (await client.get(`/datasets/${D}/content`)).rows;
      const values = rows.map(({ values_dict }) => values_dict);
      expect(values).toContainEqual({ input: ASKED_TEXT, output: 'It says zephyr.', metadata: '{}' });
    });

    it('scores them: code sees the blocks, judges read the texts', async () => {
      const run = { log_stream_id: await stream() };
      const source =
        'function scorer(record) { return JSON.stringify([record.input.length, record.input[1].file_id, record.output[0].text]); }';
      const form = new FormData();
      form.set('file', new File([source], 'scorer.js'));
      form.set('validation_result', '{}');
      const code = { name: 'seen', scorer_type: 'code', output_type: 'categorical', scoreable_node_types: ['trace'] };
      const { id: C } = await client.post('/scorers', code);
      await client.postForm(`/scorers/${C}/version/code?scorer_id=${C}`, form);
      const judge = { name: 'read', scorer_type: 'llm', output_type: 'boolean', scoreable_node_types: ['trace', 'workflow'] };
      const { id: J } = await client.post('/scorers', judge);
      const asked = {
        user_prompt: 'Input {{input}} Output {{output}} Trace {{trace}}',
        model_name: 'gpt-4.1-mini',
        num_judges: 1,
      };
      await client.post(`/scorers/${J}/version/llm?scorer_id=${J}`, asked);
      const scorers = [
        { id: C, name: 'seen', scorer_type: 'code' },
        { id: J, name: 'read', scorer_type: 'llm' },
      ];
      await client.post(`/projects/${P}/runs/${run.log_stream_id}/scorer-settings`, { run_id: run.log_stream_id, scorers });
      const T = randomUUID();
      await post(run, [{ id: T, ...BLOCKS, spans: [{ type: 'workflow', ...BLOCKS }] }]);
      const { metric_info } = await client.poll(`/projects/${P}/traces/${T}`, ({ metric_info: info, spans }) =>
        [info?.seen, info?.read, spans[0].metric_info?.read].every((one) =>
          ['success', 'error', 'failed'].includes(one?.status_type),
        ),
      );
      expect(metric_info).toMatchObject({ seen: { status_type: 'success' }, read: { status_type: 'success', value: true } });
      expect(JSON.parse(metric_info.seen.value)).toEqual([4, 'f-1', 'It says zephyr.']);
      const judged = prompts.filter((prompt) => prompt.includes('zephyr'));
      expect(judged.length).toBeGreaterThanOrEqual(2);
      for (const prompt of judged) {
        expect(prompt).toContain('What does this quixotic chart say?\n[file: file f-1]\nSay it like NUL');
        expect(prompt).not.toMatch(/secretword|file_id|\[object/);
      }
    });

    it('has them joined where OpenTelemetry carries parts of a message', async () => {
      const messages = JSON.stringify([
        {
          role: 'user',
          parts: [
            { type: 'text', content: 'What is' },
            { type: 'text', content: 'this?' },
          ],
        },
      ]);
      const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages };
      const resource = { 'service.name': 'svc', 'project.name': 'Pictures' };
      const headers = { project: 'Pictures', logstream: 'default' };
      const body = toRequest({ resource, spans: [{ spanId: '00f067aa0ba902b7', name: 'ask', attributes }] });
      expect((await send(server, body, { headers })).status).toBe(200);
      const [span] = await search('spans', { log_stream_id: L }, text('name', 'eq', 'ask'));
      expect(span.input).toEqual([{ role: 'user', content: expect.stringMatching(/^What is\s?\n?this\?$/) }]);
      const [trace] = await search('traces', { log_stream_id: L });
      expect(trace.input).toBe(span.input[0].content);
    });

    it('deletes what it finds by their texts', async () => {
      const run = { log_stream_id: await stream() };
      await post(run, [
        { id: randomUUID(), ...BLOCKS },
        { id: randomUUID(), input: 'stays' },
      ]);
      await client.post(`/projects/${P}/traces/delete`, { ...run, filters: [text('output', 'eq', 'It says zephyr.')] });
      expect(await search('traces', run)).toMatchObject([{ input: 'stays' }]);
    });

    it('is told the place of what is no content block', async () => {
      const run = { log_stream_id: await stream(), experiment_id: null };
      const refused = async (trace: object) =>
        client
          .attempt('POST', `/projects/${P}/traces`, { json: { ...run, traces: [trace] } })
          .then(({ status, body }) => [status, body.detail?.[0]?.loc?.slice(0, 4)]);
      for (const input of [5, { type: 'text', text: 'x' }, [{ text: 'x' }], ['x'], [null], [[]]])
        expect(await refused({ input }), JSON.stringify(input)).toEqual([422, ['body', 'traces', 0, 'input']]);
      const T = randomUUID();
      await post(run, [{ id: T, input: 'kept' }]);
      const json = { ...run, input: [{ text: 'x' }] };
      const { status, body } = await client.attempt('PATCH', `/projects/${P}/traces/${T}`, { json });
      expect([status, body.detail[0].loc.slice(0, 2)]).toEqual([422, ['body', 'input']]);
      expect(await client.get(`/projects/${P}/traces/${T}`)).toMatchObject({ input: 'kept' });
    });
  });
}
