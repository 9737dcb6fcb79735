import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PDF, PNG } from '../fixtures/files/media.ts';
import { bytesOf } from '../http/files/file-fixture.ts';
import { ADMIN } from '../http/harness.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { type PostgresService, startPostgresService } from '../setup/postgres-service.ts';
import { queryAt } from '../setup/query-at.ts';

const LAST_BEFORE = 'm0016-judge-calls';
const HTML = Buffer.from('<html><script>alert(1)</script>');

const project_id = randomUUID();
const other_project_id = randomUUID();
const log_stream_id = randomUUID();
const uploads = {
  picture: { id: randomUUID(), filename: 'a "dot".png', said: 'image/png', bytes: PNG, type: 'image/png', modality: 'image' },
  // Nobody looked into them: what was said of them was kept.
  terms: {
    id: randomUUID(),
    filename: 'terms',
    said: 'application/octet-stream',
    bytes: PDF,
    type: 'application/pdf',
    modality: 'document',
  },
  page: {
    id: randomUUID(),
    filename: 'x.html',
    said: 'text/html',
    bytes: HTML,
    type: 'application/octet-stream',
    modality: 'document',
  },
  note: {
    id: randomUUID(),
    filename: 'n.txt',
    said: 'text/plain; charset=utf-8',
    bytes: Buffer.from('räd'),
    type: 'text/plain',
    modality: 'text',
  },
  lie: {
    id: randomUUID(),
    filename: 'l.txt',
    said: 'text/plain',
    bytes: Buffer.from('a\0b'),
    type: 'application/octet-stream',
    modality: 'document',
  },
  empty: {
    id: randomUUID(),
    filename: 'nothing.png',
    said: 'image/png',
    bytes: Buffer.alloc(0),
    type: 'application/octet-stream',
    modality: 'document',
  },
};
const named = { trace: randomUUID(), span: randomUUID(), mention: randomUUID() };

describe('files that were uploaded before records had files', () => {
  let database: TestDatabase;
  let service: PostgresService;

  const sql = (statement: string, parameters: readonly unknown[] = []) => queryAt(database.url, statement, [...parameters]);

  beforeAll(async () => {
    database = await createTestDatabase();
    const orm = await openOrm({ url: database.url, poolSize: 2 });
    await orm.migrator.up({ to: LAST_BEFORE });
    for (const id of [project_id, other_project_id]) {
      await sql(
        `insert into projects (id, name, type, type_is_default, labels, created_at, updated_at) values ($1, $2, 'gen_ai', false, '[]', now(), now())`,
        [id, `of ${id}`],
      );
      await sql(
        `insert into user_collaborators (object_kind, object_id, id, user_id, role, created_at) values ('project', $1, $2, $3, 'owner', now())`,
        [id, randomUUID(), randomUUID()],
      );
    }
    await sql(
      `insert into runs (project_id, id, kind, name, has_user_created_sessions, metric_settings, settings_revision, created_at, updated_at)
       values ($1, $2, 'log_stream', 'logs', false, '{"scorers": []}', 0, now(), now())`,
      [project_id, log_stream_id],
    );
    for (const { id, filename, said, bytes } of Object.values(uploads))
      await sql(
        `insert into project_files (project_id, id, filename, content_type, size_bytes, upload_metadata, content, created_by, created_at)
         values ($1, $2, $3, $4, $5, '{}', $6, $7, now())`,
        [project_id, id, filename, said, bytes.byteLength, bytes, randomUUID()],
      );
    await insertRecords();
    await orm.migrator.up();
    expect((await orm.schema.getUpdateSchemaSQL()).trim()).toBe('');
    await orm.close();
    service = await startPostgresService({ via: async () => database.url });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  /** As the version before stored them: a trace with content blocks, a model call with messages, and a tool whose text mentions an id. */
  async function insertRecords(): Promise<void> {
    const part = (id: string) => ({ type: 'file', file_id: id });
    const blocks = [{ type: 'text', text: 'read it' }, part(uploads.terms.id)];
    const messages = [
      { role: 'user', content: [part(uploads.note.id), part(uploads.picture.id), part(uploads.note.id), part('file-of-others')] },
    ];
    const mention = JSON.stringify({ text: JSON.stringify(part(uploads.page.id)) });
    const records = [
      {
        id: named.trace,
        type: 'trace',
        parent: null,
        input: 'read it',
        kinds: 0,
        blocks: JSON.stringify({ input: blocks }),
        attributes: null,
      },
      {
        id: named.span,
        type: 'llm',
        parent: named.trace,
        input: JSON.stringify(messages),
        kinds: 1,
        blocks: null,
        attributes: '{"model": "m"}',
      },
      { id: named.mention, type: 'tool', parent: named.trace, input: mention, kinds: 0, blocks: null, attributes: null },
    ];
    for (const [position, { id, type, parent, input, kinds, blocks: kept, attributes }] of records.entries())
      await sql(
        `insert into records (project_id, id, run_id, trace_id, parent_id, session_id, type, is_trace, name, created_at, position, updated_at,
           input, output, payload_kinds, is_complete, has_children, content_blocks, attributes)
         values ($1, $2, $3, $4, $5, $4, $6, $7, 'one', now(), $8, now(), $9, 'seen', $10, true, $11, $12, $13)`,
        [
          project_id,
          id,
          log_stream_id,
          named.trace,
          parent,
          type,
          parent === null,
          position,
          input,
          kinds,
          parent === null,
          kept,
          attributes,
        ],
      );
  }

  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await service.request(method, `/v2/projects/${project_id}${path}`, body);
    expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBe(200);
    return reply.body;
  };
  const download = (id: string, project = project_id) =>
    fetch(`${service.url}/v2/projects/${project}/files/${id}`, { headers: { 'service-api-key': ADMIN.api_key } });

  it.each(Object.entries(uploads))('gives %s back byte for byte, as the type that its content has', async (_name, upload) => {
    const reply = await download(upload.id);
    expect(reply.status).toBe(200);
    expect((await bytesOf(reply)).equals(upload.bytes)).toBe(true);
    expect(reply.headers.get('content-type')).toBe(upload.type);
    const [stored] = await service.cradle.fileStore.list(project_id, [upload.id]);
    expect(stored).toMatchObject({
      ...{ filename: upload.filename, content_type: upload.type, modality: upload.modality, status: 'complete' },
      ...{ size_bytes: upload.bytes.byteLength, sha256: hash('sha256', upload.bytes, 'hex'), upload_metadata: '{}' },
    });
    expect((await download(upload.id, other_project_id)).status).toBe(404);
  });

  it('counts them in what the files of their project hold together', async () => {
    const sum = Object.values(uploads).reduce((all, { bytes }) => all + bytes.byteLength, 0);
    expect(await service.cradle.fileStore.bytesIn(project_id)).toBe(sum);
    expect(await service.cradle.fileStore.bytesIn(other_project_id)).toBe(0);
  });

  it('shows them on the records that named them, which are found by them', async () => {
    const { picture, terms, note, page } = uploads;
    const span = await call('GET', `/spans/${named.span}`);
    expect(span).toMatchObject({ file_ids: [note.id, picture.id], file_modalities: ['text', 'image'], model: 'm' });
    expect(span.files[picture.id]).toMatchObject({ status: 'complete', content_type: 'image/png', filename: picture.filename });
    const trace = await call('GET', `/traces/${named.trace}`);
    expect(trace).toMatchObject({ file_ids: [terms.id], file_modalities: ['document'] });
    expect(trace.input).toEqual([
      { type: 'text', text: 'read it' },
      { type: 'file', file_id: terms.id },
    ]);
    const search = async (value: unknown, column_id: string) => {
      const filter_tree = { filter: { type: 'collection', column_id, operator: 'contains', value } };
      const { records } = await call('POST', '/spans/search', { log_stream_id, filter_tree });
      return records.map(({ id }: { id: string }) => id);
    };
    expect(await search('image', 'file_modalities')).toEqual([named.span]);
    expect(await search([picture.id], 'file_ids')).toEqual([named.span]);
    expect(await search([page.id], 'file_ids')).toEqual([]);
    expect(await call('GET', `/spans/${named.mention}`)).toMatchObject({ file_ids: [], files: null });
  });

  it('removes them with the last record that names them, and the others with their project', async () => {
    const filters = [{ type: 'id', column_id: 'id', operator: 'eq', value: named.trace }];
    await call('POST', '/traces/delete', { log_stream_id, filters });
    await service.cradle.fileRemoval.run(-1_000);
    const statuses = async () =>
      Object.fromEntries(
        await Promise.all(Object.entries(uploads).map(async ([name, { id }]) => [name, (await download(id)).status])),
      );
    expect(await statuses()).toEqual({ picture: 404, terms: 404, note: 404, page: 200, lie: 200, empty: 200 });
    expect((await service.request('DELETE', `/v2/projects/${project_id}`)).status).toBe(200);
    await service.cradle.fileRemoval.run(-1_000);
    for (const table of ['files', 'file_contents', 'record_files', 'left_files', 'file_totals'])
      expect(await sql(`select * from ${table} where project_id = $1`, [project_id]), table).toEqual([]);
  });
});
