import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

function form(fields: Record<string, string>, file?: { readonly text: string; readonly name: string }): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file) body.set('file', new Blob([file.text], { type: 'application/octet-stream' }), file.name);
  return body;
}
const create = (raw: FormData, query = '') => server.request('POST', `/v2/datasets${query}`, undefined, { raw });
const upload = (text: string, { format = 'csv', name = 'golden', ...fields }: Record<string, string> = {}) =>
  create(form({ name, ...fields }, { text, name }), `?format=${format}`);
const download = (id: string, query = '') => server.request('GET', `/v2/datasets/${id}/download${query}`);
const toRows = async (id: string) =>
  (await server.request('GET', `/v2/datasets/${id}/content`)).body.rows.map(
    ({ values_dict }: { values_dict: object }) => values_dict,
  );

describe('a dataset from a file', () => {
  it('has the rows and columns of a CSV', async () => {
    const { status, body } = await upload('input,output\nWhat is 2+2?,4\n"two\nlines",\n');
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'golden', num_rows: 2, column_names: ['input', 'output'], current_version_index: 1 });
    expect(await toRows(body.id)).toEqual([
      { input: 'What is 2+2?', output: '4' },
      { input: 'two\nlines', output: null },
    ]);
  });

  it('keeps a cell of more than a mebibyte, whatever the format', async () => {
    const long = 'x'.repeat(3 * 1024 * 1024);
    for (const [format, text] of [
      ['csv', `input,output\n${long},short\n`],
      ['jsonl', `${JSON.stringify({ input: long, output: 'short' })}\n`],
    ] as const) {
      const { status, body } = await upload(text, { format, name: `long ${format}` });
      expect(status, JSON.stringify(body)).toBe(200);
      const [row] = await toRows(body.id);
      expect({ length: row.input.length, output: row.output }).toEqual({ length: long.length, output: 'short' });
    }
  });

  it('is read as the format that is said, whatever the file is called', async () => {
    const { status, body } = await upload('{"input":"a","n":1}\n{"input":"b","n":null}\n', {
      format: 'jsonl',
      name: 'in memory',
    });
    expect(status).toBe(200);
    expect(await toRows(body.id)).toEqual([
      { input: 'a', n: 1 },
      { input: 'b', n: null },
    ]);
  });

  it('takes the name of its file when it has none', async () => {
    const reply = await create(form({ name: '' }, { text: '[{"input":"a"}]', name: 'questions.json' }));
    expect(reply).toMatchObject({ status: 200, body: { name: 'questions', num_rows: 1 } });
  });

  it('is not made of a file that is something else, or has a bad row', async () => {
    const mismatch = await upload('{"input":"a"}\n', { format: 'csv' });
    expect(mismatch).toMatchObject({ status: 422, body: { code: 'file_format_mismatch' } });
    const ragged = await upload('a,b\n1,2\n3\n');
    expect(ragged).toMatchObject({ status: 422, body: { code: 'file_rows_refused' } });
    expect((await server.request('GET', '/v2/datasets')).body.datasets).toEqual([]);
  });

  it('needs a file or a source, and a name that is free', async () => {
    expect(await create(form({ name: 'x' }))).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'file'] }] } });
    expect((await upload('a\n1\n')).status).toBe(200);
    expect(await upload('a\n1\n')).toMatchObject({ status: 409, body: { code: 'dataset_exists' } });
    const suffixed = await upload('a\n1\n', { append_suffix_if_duplicate: 'true' });
    expect(suffixed.status).toBe(200);
    expect(suffixed.body.name).not.toBe('golden');
  });

  it('may be used in a project from the start, which has to be visible', async () => {
    const project_id = (await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id;
    const { body } = await upload('a\n1\n', { project_id });
    expect((await server.request('GET', `/v2/datasets/${body.id}/projects`)).body.projects).toMatchObject([{ id: project_id }]);
    expect(await upload('a\n1\n', { name: 'other', project_id: randomUUID() })).toMatchObject({ status: 404 });
  });
});

describe('an import', () => {
  const import_id = randomUUID();
  const watched = (of = import_id) => server.request('GET', `/v2/datasets/imports/${of}`);

  it('tells what was understood of the file', async () => {
    const { body } = await upload('question;n;empty\r\nWhat?;1;\r\nWhy?;2;\r\n', { name: 'semicolons' });
    expect(body.import_report).toMatchObject({
      format: 'csv',
      rows_read: 2,
      rows_accepted: 2,
      rows_refused: 0,
      columns: [
        { name: 'question', type: 'text', filled: 2, longest: 5 },
        { name: 'n', type: 'integer', filled: 2 },
        { name: 'empty', filled: 0 },
      ],
      empty_columns: ['empty'],
      notes: [{ type: 'delimiter_found' }],
    });
  });

  it('takes the good rows when it is told to skip the others, and names those', async () => {
    const body = form({ name: 'skipped' }, { text: 'a,b\n1,2\n3\n4,5\n', name: 'x' });
    const made = await create(body, '?format=csv&refused_rows=skip');
    expect(made).toMatchObject({ status: 200, body: { num_rows: 2, import_report: { rows_refused: 1 } } });
    expect(made.body.import_report.refusals).toMatchObject([{ row: 2, line: 3, type: 'ragged' }]);
    expect(await toRows(made.body.id)).toEqual([
      { a: '1', b: '2' },
      { a: '4', b: '5' },
    ]);
  });

  it('takes off the apostrophes of a download when it is told to', async () => {
    const source = (await upload('{"input":"=1+1"}\n', { format: 'jsonl' })).body.id;
    const text = (await download(source)).body as string;
    const back = await create(form({ name: 'back' }, { text, name: 'x' }), '?format=csv&formula_guards=undo');
    expect(await toRows(back.body.id)).toEqual([{ input: '=1+1' }]);
  });

  it('can be watched by the id it was given, by whoever started it', async () => {
    expect(await watched()).toMatchObject({ status: 404, body: { code: 'import_not_found' } });
    const { body } = await create(form({ name: 'watched' }, { text: 'a\n1\n', name: 'x' }), `?format=csv&import_id=${import_id}`);
    const { status, body: job } = await watched();
    expect(status).toBe(200);
    expect(job).toMatchObject({ phase: 'finished', dataset_id: body.id, rows_read: 1, bytes_total: 4, error: null });
    expect(job.report).toEqual(body.import_report);
    const other = await person(server);
    expect((await other.request('GET', `/v2/datasets/imports/${import_id}`)).status).toBe(404);
    const again = await create(form({ name: 'again' }, { text: 'a\n1\n', name: 'x' }), `?format=csv&import_id=${import_id}`);
    expect(again).toMatchObject({ status: 409, body: { code: 'import_exists' } });
  });

  it('says why it failed, to those who watch it too', async () => {
    const body = form({ name: 'ragged' }, { text: 'a,b\n1,2\n3\n', name: 'x' });
    expect(await create(body, `?format=csv&import_id=${import_id}`)).toMatchObject({ status: 422 });
    expect((await watched()).body).toMatchObject({
      phase: 'failed',
      dataset_id: null,
      error: { code: 'file_rows_refused' },
      report: { rows_read: 2, rows_refused: 1 },
    });
  });
});

describe('a copy', () => {
  it('has the rows of the version it was made of, and a name of its own', async () => {
    const source = (await upload('input\nfirst\n')).body.id;
    const edits = [{ edit_type: 'append_row', values: { input: 'second' } }];
    await server.request('PATCH', `/v2/datasets/${source}/content`, { edits });
    const latest = await create(form({ name: 'latest', copy_from_dataset_id: source }));
    expect(await toRows(latest.body.id)).toEqual([{ input: 'first' }, { input: 'second' }]);
    const older = await create(form({ copy_from_dataset_id: source, copy_from_dataset_version_index: '1' }));
    expect(older.status).toBe(200);
    expect(older.body.name).toContain('golden');
    expect(await toRows(older.body.id)).toEqual([{ input: 'first' }]);
    expect(await create(form({ copy_from_dataset_id: randomUUID() }))).toMatchObject({ status: 404 });
  });
});

describe('a download', () => {
  const ROWS = '{"input":"=1+1","n":1.5,"map":{"a":"b"}}\n{"input":"plain","n":null,"map":null}\n';

  it('gives everything back exactly as JSON lines', async () => {
    const { id } = (await upload(ROWS, { format: 'jsonl' })).body;
    const reply = await download(id, '?format=jsonl');
    expect(reply.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toContain('golden.jsonl');
    expect(reply.body).toBe(ROWS);
    const again = await upload(reply.body, { format: 'jsonl', name: 'again' });
    expect(await toRows(again.body.id)).toEqual(await toRows(id));
  });

  it('is CSV unless asked otherwise, with formulas made harmless', async () => {
    const { id } = (await upload(ROWS, { format: 'jsonl' })).body;
    const reply = await download(id);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.body.split('\r\n')[1]).toMatch(/^'=1\+1,/);
  });

  it('is noted in the audit log', async () => {
    const { id } = (await upload('a\n1\n')).body;
    await download(id, '?format=json');
    const { body } = await server.request('GET', `/v2/audit_log?object_kind=dataset&object_id=${id}&limit=1`);
    expect(body.entries).toMatchObject([{ action: 'dataset.export', details: { version_index: 1, format: 'json' } }]);
  });
});
