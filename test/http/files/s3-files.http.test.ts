import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MemoryFileContents } from '../../../adapters/memory/files/memory-file-contents.ts';
import { MemoryDatabase } from '../../../adapters/memory/memory-database.ts';
import { S3ObjectStore, type S3Settings } from '../../../adapters/object-storage/s3-object-store.ts';
import { ObjectFileContents } from '../../../core/files/object-file-contents.ts';
import { twoFileContents } from '../../../core/files/two-file-contents.ts';
import { value } from '../../../testing/index.ts';
import { fileContentsContract, listedFileContentsContract } from '../../contracts/files/file-contents.contract.ts';
import { dataUrl, PNG, WAV } from '../../fixtures/files/media.ts';
import { FAKE_S3_KEYS, FakeS3 } from '../../fixtures/s3/fake-s3.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { bytesOf, inNewProject } from './file-fixture.ts';
import { filesOf } from './file-walk.ts';

async function startFake() {
  const server = new FakeS3('bucket');
  const endpoint = await server.listen();
  const settings: S3Settings = { endpoint, region: 'eu-central-1', bucket: 'bucket', prefix: 'touchstone/', ...FAKE_S3_KEYS };
  return { server, settings };
}

const contentsOf = (settings: S3Settings) => new ObjectFileContents(new S3ObjectStore(settings));

fileContentsContract('S3', async () => {
  const { server, settings } = await startFake();
  return { port: contentsOf(settings), close: () => server.close() };
});

listedFileContentsContract('S3', async () => {
  const { server, settings } = await startFake();
  server.pageSize = 250;
  server.objects.set('touchstone/of/others', new Uint8Array(1));
  return { port: contentsOf(settings), close: () => server.close() };
});

let fake: Awaited<ReturnType<typeof startFake>>;
/** How many of the next requests fail. */
let failures = 0;
beforeAll(async () => {
  fake = await startFake();
  fake.server.fault = () => {
    failures -= 1;
    return failures >= 0 ? { status: 500, code: 'InternalError' } : undefined;
  };
});
afterAll(() => fake.server.close());

const startInBucket = (): Promise<TestServer> =>
  startTestServer({ maxProjectFileBytes: 200_000, overrides: { fileContents: value(contentsOf(fake.settings)) } });

filesOf('in a bucket', startInBucket);

describe('files in a bucket', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startInBucket();
  });
  afterAll(() => server.close());
  afterEach(() => {
    failures = 0;
  });

  const objectsOf = (project_id: string) => [...fake.server.objects.keys()].filter((path) => path.includes(project_id));
  const picture = (bytes: Buffer) => [
    { role: 'user', content: [{ type: 'image_url', image_url: { url: dataUrl('image/png', bytes) } }] },
  ];

  it('are put once, by the project and id of each', async () => {
    const project = await inNewProject(server);
    const { body } = await project.upload(PNG, 'a.png', 'image/png');
    fake.server.requests.length = 0;
    await project.upload(PNG, 'a.png', 'image/png');
    await project.logCall(picture(PNG));
    expect(fake.server.requests).toEqual([]);
    expect(objectsOf(project.project_id)).toEqual([`touchstone/${project.project_id}/${body.file_id}`]);
  });

  it('are refused, with a time to come back, while the store fails, and leave nothing', async () => {
    const project = await inNewProject(server);
    failures = 1;
    const refused = await project.upload(PNG, 'a.png', 'image/png');
    expect(refused).toMatchObject({ status: 503, body: { code: 'file_store_unavailable' } });
    expect(objectsOf(project.project_id)).toEqual([]);
    expect(await server.cradle.fileStore.bytesIn(project.project_id)).toBe(0);
    const { status, body } = await project.upload(PNG, 'a.png', 'image/png');
    expect(status).toBe(200);
    expect(await bytesOf(await project.download(body.file_id))).toEqual(PNG);
  });

  it('leave nothing of a request that ended between content and facts', async () => {
    const project = await inNewProject(server);
    const { fileContents, fileStore } = server.cradle;
    const lost = { project_id: project.project_id, id: randomUUID() };
    await fileStore.notePuts([lost], new Date().toISOString());
    await fileContents.put(lost, PNG);
    const { body } = await project.upload(WAV, 'a.wav', 'audio/wav');
    await server.cradle.fileRemoval.run();
    expect(objectsOf(project.project_id)).toHaveLength(2);
    await project.sweep();
    expect(objectsOf(project.project_id)).toEqual([expect.stringContaining(body.file_id)]);
  });

  it('stay while their removal fails, and are sent again whole meanwhile', async () => {
    const project = await inNewProject(server);
    const { trace_id, span_id } = await project.logCall(picture(PNG));
    const [file_id] = (await project.call('GET', `/spans/${span_id}`)).file_ids;
    const filters = [{ type: 'id', column_id: 'id', operator: 'eq', value: trace_id }];
    await project.call('POST', '/traces/delete', { log_stream_id: project.log_stream_id, filters });
    failures = 1;
    await project.sweep();
    expect((await project.download(file_id)).status).toBe(404);
    expect(objectsOf(project.project_id)).toHaveLength(1);
    await project.logCall(picture(PNG));
    await project.sweep();
    expect(await bytesOf(await project.download(file_id))).toEqual(PNG);
  });

  it('are read where they were put before, after the store has changed', async () => {
    const database = new MemoryFileContents({ database: new MemoryDatabase() });
    const bucket = contentsOf(fake.settings);
    const file = { project_id: randomUUID(), id: randomUUID() };
    await database.put(file, PNG);
    const both = twoFileContents(bucket, database);
    expect(Buffer.from((await both.find(file))!)).toEqual(PNG);
    await both.remove(file);
    expect(await both.find(file)).toBeUndefined();
  });

  it('are found while they are moved from one store to the other', async () => {
    const file = { project_id: randomUUID(), id: randomUUID() };
    const [first, second] = [0, 1].map(() => new MemoryFileContents({ database: new MemoryDatabase() })) as [
      MemoryFileContents,
      MemoryFileContents,
    ];
    await second.put(file, PNG);
    const moving = {
      ...{ isTransactional: true, put: second.put.bind(second), remove: second.remove.bind(second) },
      find: async () => {
        await first.put(file, PNG);
        await second.remove(file);
        return undefined;
      },
    };
    expect(Buffer.from((await twoFileContents(first, moving).find(file))!)).toEqual(PNG);
  });

  it('are not to be had with another key', async () => {
    const stranger = contentsOf({ ...fake.settings, secretAccessKey: 'another' });
    const file = { project_id: randomUUID(), id: randomUUID() };
    await expect(stranger.put(file, PNG)).rejects.toMatchObject({ code: 'file_store_unavailable' });
    await expect(stranger.find(file)).rejects.toMatchObject({ code: 'file_store_unavailable' });
  });
});
