import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entry } from '../../contracts/traces/record-stores.ts';
import type { TestServer } from '../harness.ts';
import { startWithLogStream } from '../projects/log-stream-fixture.ts';

let server: TestServer;
let log_stream_id: string;
let at: string;
beforeEach(async () => {
  ({ server, at, log_stream_id } = await startWithLogStream());
});
afterEach(() => server.close());

const post = (path: string, body?: unknown) => server.request('POST', `${at}/${path}`, body);
const log = async (...traces: object[]) => expect((await post('traces', { log_stream_id, traces })).status).toBe(200);
const exported = (body: object = {}) => post('export_records', { log_stream_id, root_type: 'trace', ...body });
// biome-ignore lint/suspicious/noExplicitAny: lines have every shape
const toLines = ({ body }: { body: string | undefined }): any[] =>
  (body ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const named = (name: string, second = 0) => ({ name, input: `of ${name}`, created_at: `2026-01-01T00:00:0${second}Z` });

describe('exporting records', () => {
  it('writes one record a line, as the search shows it, newest first', async () => {
    await log(named('a'), { ...named('b', 1), spans: [{ type: 'llm', name: 'ask', input: 'how?' }] });
    const reply = await exported();
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="traces.jsonl"; filename*=UTF-8''traces.jsonl`);
    expect(toLines(reply)).toEqual((await post('traces/search', { log_stream_id })).body.records);
    expect(toLines(await exported({ root_type: 'span' }))).toEqual((await post('spans/search', { log_stream_id })).body.records);
  });

  it('shows all metrics of each, however many records and scorers there are, where a trace shows those of its first spans', async () => {
    const scorers = Array.from({ length: 200 }, (_, index) => entry({ name: `scorer ${index}`, scoreable_node_types: ['tool'] }));
    const project_id = at.split('/').at(-1)!;
    await server.cradle.metricSettingsStore.replace(project_id, log_stream_id, () => ({ scorers, segment_filters: [] }));
    const id = randomUUID();
    await log({ id, spans: Array.from({ length: 130 }, () => ({ type: 'tool', name: 'step' })) });
    const counts = (records: { metric_info: object }[]) =>
      new Set(records.map(({ metric_info }) => Object.keys(metric_info).length));
    expect(counts(toLines(await exported({ root_type: 'span' })))).toEqual(new Set([200]));
    const { spans } = (await server.request('GET', `${at}/traces/${id}`)).body;
    expect(spans.filter(({ metric_info }: { metric_info: object }) => Object.keys(metric_info).length === 200)).toHaveLength(124);
    expect(counts(spans)).toEqual(new Set([200, 0]));
    expect(counts([(await server.request('GET', `${at}/spans/${spans.at(-1).id}`)).body])).toEqual(new Set([200]));
  });

  it('takes "json" for lines of JSON', async () => {
    await log(named('a'), named('b'));
    expect((await exported({ export_format: 'json' })).body).toBe((await exported()).body);
  });

  it('has no line without records, and in CSV the head', async () => {
    expect((await exported()).body).toBeUndefined();
    expect((await exported({ export_format: 'csv' })).body).toMatch(
      /^id,type,name,[\w,]+,metric_info,feedback_rating_info,annotations,annotation_aggregates,annotation_truths,num_comments\r\n$/,
    );
  });

  it('filters and sorts as the search does', async () => {
    await log(named('b'), named('c'), named('a'));
    const filters = [{ type: 'text', column_id: 'name', operator: 'one_of', value: ['a', 'b'] }];
    const lines = toLines(await exported({ filters, sort: { column_id: 'name', ascending: true } }));
    expect(lines.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('writes only the columns that are asked for, in that order', async () => {
    await log({ ...named('a'), user_metadata: { customer: 'x' }, metrics: { duration_ns: 5 } });
    const column_ids = ['name', 'metrics/duration_ns', 'user_metadata/customer', 'user_metadata/other', 'metric_info'];
    expect(toLines(await exported({ column_ids }))).toEqual([
      { name: 'a', 'metrics/duration_ns': 5, 'user_metadata/customer': 'x', 'user_metadata/other': null, metric_info: {} },
    ]);
    const head = 'name,metrics/duration_ns,user_metadata/customer,user_metadata/other,metric_info';
    expect((await exported({ column_ids, export_format: 'csv' })).body).toBe(`${head}\r\na,5,x,,{}\r\n`);
  });

  it('puts what was redacted in the place of what was said, unless told not to', async () => {
    await log({ name: 'a', input: 'secret', redacted_input: '***', output: 'plain' });
    expect(toLines(await exported())).toMatchObject([{ input: '***', output: 'plain' }]);
    expect(toLines(await exported({ redact: false }))).toMatchObject([{ input: 'secret', redacted_input: '***' }]);
    expect((await exported({ export_format: 'csv' })).body).not.toContain('secret');
  });

  it('keeps every cell of a CSV file what it is: quotes, line breaks, and no formula', async () => {
    await log({ name: '=HYPERLINK("x")', input: 'a "b",\nc', output: '＋1', metrics: { size: -1 } });
    const column_ids = ['name', 'input', 'output', 'metrics/size'];
    const reply = await exported({ column_ids, export_format: 'csv' });
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.body).toBe('name,input,output,metrics/size\r\n"\'=HYPERLINK(""x"")","a ""b"",\nc",\'＋1,-1\r\n');
  });

  it('writes sessions, and nothing of their plain texts unless told to', async () => {
    const session_id = randomUUID();
    await log({ ...named('a'), session_id }, { ...named('b', 1), session_id });
    const [line] = toLines(await exported({ root_type: 'session', redact: false }));
    expect(line).toMatchObject({ id: session_id, type: 'session', input: 'of a', num_traces: 2 });
    expect(toLines(await exported({ root_type: 'session' }))).toEqual([{ ...line, input: null, output: null }]);
  });

  it.each([
    ['my records', `attachment; filename="my records"; filename*=UTF-8''my%20records`],
    ['../../etc/passwd', `attachment; filename="_.._etc_passwd"; filename*=UTF-8''_.._etc_passwd`],
    ['a"b\r\nX: y', `attachment; filename="a_b__X_ y"; filename*=UTF-8''a_b__X_%20y`],
    ['Übersicht', `attachment; filename="_bersicht"; filename*=UTF-8''%C3%9Cbersicht`],
    ['...', `attachment; filename="export"; filename*=UTF-8''export`],
  ])('is called %j safely', async (file_name, disposition) => {
    await log(named('a'));
    expect((await exported({ file_name })).headers.get('content-disposition')).toBe(disposition);
  });

  it('is noted in the audit log', async () => {
    await exported({ export_format: 'csv' });
    const { body } = await server.request('GET', '/v2/audit_log');
    const details = { run_id: log_stream_id, root_type: 'trace', export_format: 'csv', redact: true };
    expect(body.entries.find(({ action }: { action: string }) => action === 'records.export').details).toEqual(details);
  });

  it.each<[object, (string | number)[]]>([
    [{ root_type: 'message' }, ['root_type']],
    [{ root_type: null }, ['root_type']],
    [{ export_format: 'xml' }, ['export_format']],
    [{ column_ids: ['name', 'nothing'] }, ['column_ids', 1]],
    [{ root_type: 'session', column_ids: ['status_code'] }, ['column_ids', 0]],
    [{ filters: [{ type: 'text', column_id: 'x', operator: 'eq', value: 'a' }] }, ['filters', 0, 'column_id']],
    [
      { root_type: 'session', filters: [{ type: 'text', column_id: 'model', operator: 'eq', value: 'a' }] },
      ['filters', 0, 'column_id'],
    ],
    [{ sort: { column_id: 'tags' } }, ['sort', 'column_id']],
    [{ file_name: 'x'.repeat(300) }, ['file_name']],
    [{ log_stream_id: null }, ['log_stream_id']],
  ])('%j is refused at its place', async (body, loc) => {
    const reply = await exported(body);
    expect(reply.status).toBe(422);
    expect(reply.body.detail[0].loc).toEqual(['body', ...loc]);
  });

  it('is 404 for an unknown run', async () => {
    expect(await exported({ log_stream_id: randomUUID() })).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
  });
});
