import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryFileContents } from '../../../adapters/memory/files/memory-file-contents.ts';
import { MemoryDatabase } from '../../../adapters/memory/memory-database.ts';
import { S3ObjectStore, type S3Settings } from '../../../adapters/object-storage/s3-object-store.ts';
import { value } from '../../../config/wiring/registration.ts';
import { ObjectFileContents } from '../../../core/files/object-file-contents.ts';
import { twoFileContents } from '../../../core/files/two-file-contents.ts';
import { dataUrl, PDF, PNG, WAV } from '../../fixtures/files/media.ts';
import { FAKE_S3_KEYS, FAKE_S3_REGION, FakeS3 } from '../../fixtures/s3/fake-s3.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { bytesOf, type FileFixture, inNewProject } from './file-fixture.ts';

const SECONDS = 120;

describe('addresses of files in a bucket', () => {
  const fake = new FakeS3('bucket');
  const database = new MemoryFileContents({ database: new MemoryDatabase() });
  let settings: S3Settings;
  let server: TestServer;
  let project: FileFixture;
  /** The time that the service goes by; undefined: that of the machine. */
  let now: Date | undefined;

  beforeAll(async () => {
    settings = { endpoint: await fake.listen(), region: FAKE_S3_REGION, bucket: 'bucket', prefix: 'kept/', ...FAKE_S3_KEYS };
    const bucket = new ObjectFileContents(new S3ObjectStore(settings));
    server = await startTestServer({
      fileUrlSigning: { signer: new S3ObjectStore(settings), seconds: SECONDS },
      overrides: {
        clock: value(() => now ?? new Date()),
        fileContents: value(twoFileContents(bucket, database)),
        databaseFileContents: value(database),
      },
    });
    project = await inNewProject(server);
  });
  afterAll(async () => {
    await server.close();
    await fake.close();
  });

  const picture = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: dataUrl('image/png', PNG) } }] }];
  const urlOf = async (file_id: string) => (await project.call('GET', `/files/${file_id}/url`)) as Awaited<Shown>;
  type Shown = Promise<{ file_id: string; url: string; url_expires_at: string | null }>;

  it('are read without a key for the time that they say, as the type that the content has', async () => {
    const { span_id } = await project.logCall(picture);
    const [file_id] = (await project.call('GET', `/spans/${span_id}`)).file_ids;
    const before = Date.now();
    const shown = await urlOf(file_id);
    expect(shown.url).toMatch(`${settings.endpoint}/bucket/kept/${project.project_id}/${file_id}?`);
    const expires = Date.parse(shown.url_expires_at!);
    expect(expires).toBeGreaterThanOrEqual(before + SECONDS * 1_000);
    expect(expires).toBeLessThanOrEqual(Date.now() + SECONDS * 1_000);
    const reply = await fetch(shown.url);
    expect(await bytesOf(reply)).toEqual(PNG);
    expect(reply.headers.get('content-type')).toBe('image/png');
    expect(reply.headers.get('content-disposition')).toMatch(/^inline; filename="[\w-]+\.png"/);
    expect(reply.headers.get('cache-control')).toBe(`private, max-age=${SECONDS}`);
  });

  it('are refused by the bucket when their time is over, and when anything in them is changed', async () => {
    const { body } = await project.upload(PDF, 'über (1).pdf', 'application/pdf');
    const { url } = await urlOf(body.file_id);
    const saved = await fetch(url);
    expect(await bytesOf(saved)).toEqual(PDF);
    expect(saved.headers.get('content-disposition')).toMatch(
      /^attachment; filename="_ber _1_\.pdf"; filename\*=UTF-8''%C3%BCber/,
    );
    const other = await project.upload(WAV, 'a.wav', 'audio/wav');
    const changes: readonly ((changed: URL) => void)[] = [
      (changed) => changed.searchParams.set('response-content-type', 'text/html'),
      (changed) => changed.searchParams.set('response-content-disposition', 'inline'),
      (changed) => changed.searchParams.delete('response-content-type'),
      (changed) => changed.searchParams.set('X-Amz-Expires', '604800'),
      (changed) => {
        changed.pathname = changed.pathname.replace(body.file_id, other.body.file_id);
      },
    ];
    for (const change of changes) {
      const changed = new URL(url);
      change(changed);
      expect((await fetch(changed)).status, changed.href).toBe(403);
    }
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
    now = new Date(Date.now() - (SECONDS + 5) * 1_000);
    const old = await urlOf(body.file_id).finally(() => {
      now = undefined;
    });
    expect((await fetch(old.url)).status).toBe(403);
  });

  it('are given to nobody who may not read the project, nor for files of another one', async () => {
    const { body } = await project.upload(PNG, 'a.png', 'image/png');
    const path = `/v2/projects/${project.project_id}/files/${body.file_id}/url`;
    expect((await fetch(`${server.url}${path}`)).status).toBe(401);
    const other = await inNewProject(server);
    const asked = await server.request('GET', `/v2/projects/${other.project_id}/files/${body.file_id}/url`);
    expect(asked).toMatchObject({ status: 404, body: { code: 'file_not_found' } });
  });

  it('never name a type that a browser runs, whatever a file from before was said to be', async () => {
    const html = Buffer.from('<html><script>alert(1)</script>');
    const id = randomUUID();
    const { fileStore, fileContents } = server.cradle;
    const facts = { filename: 'x.html', modality: 'text', size_bytes: html.length, status: 'complete' } as const;
    const by = { upload_metadata: null, created_by: randomUUID(), created_at: new Date().toISOString() };
    await fileStore.insertOrHold([
      { ...{ project_id: project.project_id, id, content_type: 'text/html', sha256: null }, ...facts, ...by },
    ]);
    await fileContents.put({ project_id: project.project_id, id }, html);
    const uploaded = await project.upload(Buffer.from('<html><script>alert(2)</script>'), 'x.html', 'text/html');
    for (const file_id of [id, uploaded.body.file_id]) {
      const reply = await fetch((await urlOf(file_id)).url);
      expect(reply.headers.get('content-type')).toBe('application/octet-stream');
      expect(reply.headers.get('content-disposition')).toMatch(/^attachment;/);
    }
  });

  it('stand on records that are read with them, and on no others', async () => {
    const { trace_id, span_id } = await project.logCall(picture);
    const file_id = (await project.call('GET', `/spans/${span_id}`)).file_ids[0];
    for (const path of [`/traces/${trace_id}`, `/spans/${span_id}`]) {
      const shown = async (query: string) => {
        const record = await project.call('GET', `${path}${query}`);
        return (record.spans?.[0] ?? record).files[file_id];
      };
      expect(await shown('?include_presigned_urls=false')).toMatchObject({ url: null, url_expires_at: null });
      expect(await shown('')).toMatchObject({ url: null, url_expires_at: null });
      const { url, url_expires_at } = await shown('?include_presigned_urls=true');
      expect(Date.parse(url_expires_at)).toBeGreaterThan(Date.now());
      expect(await bytesOf(await fetch(url))).toEqual(PNG);
    }
  });

  it('stand on the records of a session', async () => {
    const { id } = await project.call('POST', '/sessions', { log_stream_id: project.log_stream_id });
    const spans = [{ type: 'llm', input: picture, output: 'seen' }];
    const traces = [{ input: 'look', spans }];
    await project.call('POST', '/traces', { log_stream_id: project.log_stream_id, session_id: id, traces });
    const session = await project.call('GET', `/sessions/${id}?include_presigned_urls=true`);
    const [{ url }] = Object.values<{ url: string }>(session.traces[0].spans[0].files) as [{ url: string }];
    expect(await bytesOf(await fetch(url))).toEqual(PNG);
  });

  it('are those of the service for what is in the database', async () => {
    const content = Buffer.concat([WAV, Buffer.from(randomUUID())]);
    const { body } = await project.upload(content, 'a.wav', 'audio/wav');
    const key = { project_id: project.project_id, id: body.file_id };
    await database.put(key, content);
    expect(await urlOf(body.file_id)).toEqual({
      file_id: body.file_id,
      url: `/v2/projects/${project.project_id}/files/${body.file_id}`,
      url_expires_at: null,
    });
  });
});

describe('addresses of files without a bucket', () => {
  it('are those under which clients reach the service', async () => {
    const server = await startTestServer({ publicUrl: 'https://eval.example' });
    const project = await inNewProject(server);
    const { body } = await project.upload(PNG, 'a.png', 'image/png');
    const path = `/v2/projects/${project.project_id}/files/${body.file_id}`;
    const url = await project.call('GET', `/files/${body.file_id}/url`);
    expect(url).toEqual({ file_id: body.file_id, url: `https://eval.example${path}`, url_expires_at: null });
    expect((await server.request('GET', path)).status).toBe(200);
    await server.close();
  });
});
