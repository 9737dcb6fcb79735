import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PinoLog } from '../../adapters/log/pino-log.ts';
import { FolderObjectStore } from '../../adapters/object-storage/folder-object-store.ts';
import type { S3Settings } from '../../adapters/object-storage/s3-object-store.ts';
import { readManifest } from '../../adapters/postgres/backup/manifest.ts';
import { writeBackup } from '../../adapters/postgres/backup/write-backup.ts';
import { fillDatabase } from '../../cli/stored/restore-backup.ts';
import { ShutdownSequence } from '../../config/process/shutdown-sequence.ts';
import { dataUrl, PDF, PNG, WAV } from '../fixtures/files/media.ts';
import { toRequest } from '../fixtures/otel/otlp-bodies.ts';
import { FAKE_S3_KEYS, FAKE_S3_REGION, FakeS3 } from '../fixtures/s3/fake-s3.ts';
import { readExport } from '../http/data-export/duckdb-export.ts';
import { bytesOf, type FileFixture, inNewProject } from '../http/files/file-fixture.ts';
import { send } from '../http/otel/otlp-client.ts';
import { type Person, person } from '../http/people.ts';
import { createTestDatabase } from '../setup/database.ts';
import { type PostgresService, startPostgresService } from '../setup/postgres-service.ts';

const WAYS = ['upload', 'unnamed', 'json', 'otlp'] as const;
const keyOf = ({ api_key }: Person) => ({ 'service-api-key': api_key });

/** The path of a file, step by step: each test goes on where the one before it ended. */
describe.each(['database', 's3'] as const)('the path of files whose content is in the store %s', (kind) => {
  const fake = new FakeS3('bucket');
  let s3: S3Settings;
  let folder: string;
  let databaseUrl: string;
  let service: PostgresService;
  let project: FileFixture;
  let reader: Person;
  let stranger: Person;
  /** Ids by how the files came. */
  const ids = { upload: '', unnamed: '', json: '', otlp: '' };
  const content = { upload: PDF, unnamed: Buffer.from('no record names it'), json: PNG, otlp: WAV };
  let json: { readonly trace_id: string; readonly span_id: string };
  let otlpStream: string;

  const start = (via?: (url: string) => Promise<string>) =>
    startPostgresService({
      fileStore: { kind, s3: kind === 's3' ? s3 : undefined },
      ...{ exportTarget: new FolderObjectStore(join(folder, 'export')), exportIntervalSeconds: 0 },
      ...(via && { via }),
    });

  beforeAll(async () => {
    s3 = { endpoint: await fake.listen(), region: FAKE_S3_REGION, bucket: 'bucket', prefix: 'kept/', ...FAKE_S3_KEYS };
    folder = await mkdtemp(join(tmpdir(), 'touchstone-files-'));
    service = await start(async (url) => {
      databaseUrl = url;
      return url;
    });
    project = await inNewProject(service);
    [reader, stranger] = [await person(service), await person(service)];
    await project.call('POST', '/users', [{ user_id: reader.id, role: 'viewer' }]);
  });
  afterAll(async () => {
    await service.close();
    await fake.close();
    await rm(folder, { recursive: true });
  });

  /** Files whose content is kept, by their ids, sorted. */
  async function kept(): Promise<string[]> {
    const rows = await service.session.sql<{ file_id: string }>('select file_id from file_contents where project_id = $1', [
      project.project_id,
    ]);
    const inBucket = [...fake.objects.keys()].map((key) => key.split('/').at(-1)!);
    expect(kind === 's3' ? rows : inBucket, 'in the other store').toEqual([]);
    return (kind === 's3' ? inBucket : rows.map(({ file_id }) => file_id)).sort();
  }
  const all = () => Object.values(ids).sort();
  const search = async (log_stream_id: string, column_id: string, value: unknown): Promise<string[]> => {
    const filter_tree = { filter: { type: 'collection', column_id, operator: 'contains', value } };
    const { records } = await project.call('POST', '/spans/search', { log_stream_id, filter_tree });
    return records.flatMap(({ file_ids }: { file_ids: string[] }) => file_ids);
  };
  const exported = (root_type: string, export_format: string): Promise<string> =>
    project.call('POST', '/export_records', { log_stream_id: project.log_stream_id, root_type, export_format });

  it('begins by an upload, content within JSON, and content within OpenTelemetry', async () => {
    ids.upload = (await project.upload(PDF, 'terms.pdf', 'application/pdf')).body.file_id;
    ids.unnamed = (await project.upload(content.unnamed, 'note.txt', 'text/plain')).body.file_id;
    const image = { type: 'image_url', image_url: { url: dataUrl('image/png', PNG) } };
    json = await project.logCall([{ role: 'user', content: [{ type: 'file', file_id: ids.upload }, image] }]);
    ids.json = (await project.call('GET', `/spans/${json.span_id}`)).file_ids[1];
    const blob = { type: 'blob', modality: 'audio', mime_type: 'audio/wav', content: WAV.toString('base64') };
    const attributes = {
      ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' },
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [blob] }]),
    };
    const { name } = await project.call('GET', '');
    const spans = [{ spanId: '00f067aa0ba902b7', name: 'chat', attributes }];
    expect((await send(service, toRequest({ spans }), { headers: { project: name, logstream: 'heard' } })).status).toBe(200);
    const streams: { id: string; name: string }[] = await project.call('GET', '/log_streams');
    otlpStream = streams.find((stream) => stream.name === 'heard')!.id;
    const { records } = await project.call('POST', '/spans/search', { log_stream_id: otlpStream });
    ids.otlp = records[0].file_ids[0];
    expect(await kept()).toEqual(all());
  });

  it('leads to readers of the project, and to nobody else', async () => {
    for (const way of WAYS) {
      for (const path of [`/files/${ids[way]}`, `/files/${ids[way]}/url`]) {
        const url = `${service.url}/v2/projects/${project.project_id}${path}`;
        const asked = await fetch(url, { headers: keyOf(reader) });
        expect(asked.status, `${way} ${path}`).toBe(200);
        if (!path.endsWith('url')) expect(await bytesOf(asked)).toEqual(content[way]);
        expect((await fetch(url)).status).toBe(401);
        const refused = await fetch(url, { headers: keyOf(stranger) });
        expect(refused.status).toBe(404);
      }
    }
  });

  it('goes by columns that are offered, and filters', async () => {
    const { log_stream_id } = project;
    const { columns } = await project.call('POST', '/spans/available_columns', { log_stream_id });
    for (const id of ['file_ids', 'file_modalities'])
      expect(columns).toContainEqual(expect.objectContaining({ id, filterable: true }));
    expect(await search(log_stream_id, 'file_modalities', 'image')).toEqual([ids.upload, ids.json]);
    expect(await search(log_stream_id, 'file_modalities', 'document')).toEqual([ids.upload, ids.json]);
    expect(await search(log_stream_id, 'file_modalities', 'audio')).toEqual([]);
    expect(await search(otlpStream, 'file_modalities', 'audio')).toEqual([ids.otlp]);
    expect(await search(log_stream_id, 'file_ids', [ids.upload])).toEqual([ids.upload, ids.json]);
    const { files } = await project.call('GET', `/spans/${json.span_id}`);
    expect(files).toMatchObject({
      [ids.upload]: { modality: 'document', status: 'complete', filename: 'terms.pdf', size_bytes: PDF.length },
      [ids.json]: { modality: 'image', status: 'complete', content_type: 'image/png', size_bytes: PNG.length },
    });
  });

  it('leads into exports by the ids, without the content', async () => {
    const lines = await exported('span', 'jsonl');
    expect(JSON.parse(lines)).toMatchObject({ file_ids: [ids.upload, ids.json], file_modalities: ['document', 'image'] });
    const csv = await exported('span', 'csv');
    expect(csv.split('\n', 1)[0]).toMatch(/file_ids/);
    for (const text of [lines, csv]) {
      for (const id of [ids.upload, ids.json]) expect(text).toContain(id);
      expect(text).not.toContain(PNG.toString('base64').slice(0, 60));
    }
    await project.call('PUT', '/data-export', { is_enabled: true, content: ['records'] });
    while ((await service.cradle.recordIndex.advance(1_000)) > 0);
    while ((await project.call('GET', '/data-export')).status !== 'up_to_date') await service.cradle.exporter.advance();
    const opened = await readExport(join(folder, 'export'));
    const spans = (await opened.records()).filter(({ type }) => type === 'llm');
    expect(spans.map(({ file_ids, file_modalities }) => ({ file_ids, file_modalities }))).toEqual(
      expect.arrayContaining([
        { file_ids: [ids.upload, ids.json], file_modalities: ['document', 'image'] },
        { file_ids: [ids.otlp], file_modalities: ['audio'] },
      ]),
    );
    opened.close();
  });

  it('goes on from a backup, in a service that is restored from it', async () => {
    const backup = join(folder, 'backup');
    await writeBackup({ url: databaseUrl, folder: backup, version: '0.0.0', files: [] });
    const restored = await createTestDatabase();
    const log = new PinoLog('silent');
    const shutdown = new ShutdownSequence(log);
    await fillDatabase(restored.url, backup, await readManifest(backup), { log, shutdown });
    await shutdown.run();
    const again = await start(async () => restored.url);
    for (const way of WAYS) {
      const url = `${again.url}/v2/projects/${project.project_id}/files/${ids[way]}`;
      const reply = await fetch(url, { headers: keyOf(reader) });
      expect(reply.status, way).toBe(200);
      expect(await bytesOf(reply)).toEqual(content[way]);
      expect((await fetch(url, { headers: keyOf(stranger) })).status).toBe(404);
    }
    await again.close();
    await restored.drop();
  });

  it('ends with the last record that names the files, and not for an upload that none has named', async () => {
    const filters = [{ type: 'id', column_id: 'id', operator: 'eq', value: json.trace_id }];
    await project.call('POST', '/traces/delete', { log_stream_id: project.log_stream_id, filters });
    for (const id of [ids.json, ids.upload]) expect((await project.download(id)).status).toBe(404);
    await project.sweep();
    expect(await kept()).toEqual([ids.otlp, ids.unnamed].sort());
    expect((await project.download(ids.unnamed)).status).toBe(200);
  });

  it('ends for content of records that have been kept long enough', async () => {
    await project.call('PUT', `/log_streams/${otlpStream}/retention`, { days: 1 });
    while ((await service.cradle.retentionService.run()).more);
    expect((await project.download(ids.otlp)).status).toBe(404);
    await project.sweep();
    expect(await kept()).toEqual([ids.unnamed]);
  });

  it('ends with the project, and leaves nothing in any table or in the bucket', async () => {
    await project.call('DELETE', '');
    await project.sweep();
    expect(await kept()).toEqual([]);
    expect([...fake.objects.keys()]).toEqual([]);
    for (const table of ['files', 'file_contents', 'record_files', 'left_files', 'file_puts', 'file_totals'])
      expect(await service.session.sql(`select * from ${table} where project_id = $1`, [project.project_id]), table).toEqual([]);
  });
});
