import { type ChildProcess, spawn } from 'node:child_process';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { S3ObjectStore, type S3Settings } from '../../adapters/object-storage/s3-object-store.ts';
import { PostgresFileContents } from '../../adapters/postgres/files/postgres-file-contents.ts';
import { PostgresFileStore } from '../../adapters/postgres/files/postgres-file-store.ts';
import { toFileId } from '../../core/files/file-id.ts';
import { type FileMoveDeps, FileMover } from '../../core/files/file-mover.ts';
import { ObjectFileContents } from '../../core/files/object-file-contents.ts';
import { FAKE_S3_KEYS, FAKE_S3_REGION, FakeS3 } from '../fixtures/s3/fake-s3.ts';
import { bytesOf, type FileFixture, inNewProject } from '../http/files/file-fixture.ts';
import { bareEnvironment } from '../setup/compile-cache.ts';
import { type PostgresService, startPostgresService } from '../setup/postgres-service.ts';
import { meet } from '../setup/two-transactions.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

describe.each(['s3', 'database'] as const)('moving the content of files to the store %s', (to) => {
  const fake = new FakeS3('bucket');
  let s3: S3Settings;
  let databaseUrl: string;
  let service: PostgresService;
  let project: FileFixture;
  /** Content by the id of each file. */
  const files = new Map<string, Buffer>();

  beforeAll(async () => {
    s3 = { endpoint: await fake.listen(), region: FAKE_S3_REGION, bucket: 'bucket', prefix: 'kept/', ...FAKE_S3_KEYS };
    service = await startPostgresService({
      fileStore: { kind: to, s3 },
      via: async (url) => {
        databaseUrl = url;
        return url;
      },
    });
  });
  afterAll(async () => {
    await service.close();
    await fake.close();
  });

  const stores = () => {
    const { session } = service;
    const database = new PostgresFileContents({ session });
    const bucket = new ObjectFileContents(new S3ObjectStore(s3));
    return { database, bucket, fileStore: new PostgresFileStore({ session }) };
  };
  const sides = () => {
    const { database, bucket } = stores();
    return to === 's3' ? { from: database, to: bucket } : { from: bucket, to: database };
  };
  const newMover = (more: Partial<FileMoveDeps> = {}) =>
    new FileMover({
      ...{ fileStore: stores().fileStore, transactions: service.session, clock: () => new Date(), sha256 },
      ...sides(),
      ...more,
    });

  /** A file whose content is in the store that is moved from. */
  async function keep(bytes: Buffer, facts: { readonly id?: string; readonly sha256?: null } = {}): Promise<string> {
    const digest = sha256(bytes);
    const id = facts.id ?? toFileId(digest);
    const key = { project_id: project.project_id, id };
    await stores().fileStore.insertOrHold([
      {
        ...{ ...key, filename: null, content_type: 'application/octet-stream', modality: 'document' },
        ...{ size_bytes: bytes.byteLength, sha256: facts.sha256 === null ? null : digest, status: 'complete' },
        ...{ upload_metadata: null, created_by: randomUUID(), created_at: new Date().toISOString() },
      },
    ]);
    await sides().from.put(key, bytes);
    files.set(id, bytes);
    return id;
  }

  beforeEach(async () => {
    project = await inNewProject(service);
    files.clear();
    for (const size of [0, 1, 1_000, 70_000, 1_500_000, 5, 6, 7, 8, 9, 10]) await keep(randomBytes(size));
    await keep(randomBytes(200), { id: randomUUID(), sha256: null });
    await keep(Buffer.from('by its id'), { sha256: null });
  });
  afterEach(async () => {
    fake.fault = () => undefined;
    fake.served = () => {};
    await project.call('DELETE', '');
    await project.sweep();
    expect([...fake.objects.keys()]).toEqual([]);
  });

  function start(...more: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
    const { endpoint, bucket, region, prefix, accessKeyId, secretAccessKey } = s3;
    const env = {
      ...{ ...bareEnvironment(), LOG_LEVEL: 'error', DATABASE_URL: databaseUrl, FILE_STORE: to, FILE_BUCKET: bucket },
      ...{ FILE_BUCKET_ENDPOINT: endpoint, FILE_BUCKET_REGION: region, FILE_BUCKET_PREFIX: prefix },
      ...{ FILE_BUCKET_ACCESS_KEY_ID: accessKeyId, FILE_BUCKET_SECRET_ACCESS_KEY: secretAccessKey },
    };
    const args = ['cli/touchstone.js', '--json', 'files', 'move', '--to', to, ...more];
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
      ([out, err, [code, signal]]) => ({
        ...{ out, err, code, signal },
      }),
    );
    return { child, ended };
  }

  async function expectAllReadable(): Promise<void> {
    for (const [id, bytes] of files) {
      const reply = await project.download(id);
      expect(reply.status, id).toBe(200);
      expect((await bytesOf(reply)).equals(bytes), id).toBe(true);
    }
  }

  async function expectAllMoved(): Promise<void> {
    await expectAllReadable();
    const left: string[] = [];
    for await (const { id } of sides().from.listAll()) left.push(id);
    expect(left.filter((id) => files.has(id))).toEqual([]);
    const notes = await service.session.sql('select from file_puts where project_id = $1', [project.project_id]);
    expect(notes).toHaveLength(0);
  }

  it('counts first, moves all while they are read, and has nothing left to do', async () => {
    const plan = await start('--dry-run').ended;
    const bytes = [...files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(JSON.parse(plan.out)).toEqual({ files: files.size, bytes });
    expect(fake.objects.size).toBe(to === 's3' ? 0 : files.size);
    const { ended } = start();
    let isOver = false;
    const reading = async () => {
      while (!isOver) await expectAllReadable();
    };
    const reader = reading();
    const { code, out, err } = await ended.finally(() => {
      isOver = true;
    });
    await reader;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ moved: files.size, moved_bytes: bytes, skipped: 0, num_damaged: 0, failed: 0 });
    await expectAllMoved();
    const again = await start().ended;
    expect({ code: again.code, ...JSON.parse(again.out) }).toMatchObject({ code: 0, moved: 0, is_complete: true });
  });

  it('loses nothing when it is killed, wherever it is, and goes on from there', async () => {
    const methods = to === 's3' ? ['PUT', 'GET'] : ['GET', 'DELETE'];
    const points = methods.flatMap((method) => (['before', 'after'] as const).map((when) => ({ method, when })));
    // The later it is, the more is moved already.
    for (const [nth, { method, when }] of points.entries()) {
      const { child, ended } = start();
      let seen = 0;
      const strike = (asked: string, key: string) => {
        if (asked !== method || key === '') return false;
        seen += 1;
        return seen === nth + 1 && child.kill('SIGKILL');
      };
      if (when === 'before') fake.fault = (asked, key) => (strike(asked, key) ? 'hang up' : undefined);
      else fake.served = (asked, key) => void strike(asked, key);
      expect((await ended).signal, `${when} ${method}`).toBe('SIGKILL');
      fake.fault = () => undefined;
      fake.served = () => {};
      await expectAllReadable();
    }
    const { code, out } = await start().ended;
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, failed: 0, num_damaged: 0, is_complete: true });
    await expectAllMoved();
  });

  it('ends the files under way when it is asked to end, says that it is not complete, and goes on when it is run again', async () => {
    const { child, ended } = start();
    let isAsked = false;
    fake.fault = () => {
      if (!isAsked) isAsked = child.kill('SIGTERM');
      return undefined;
    };
    const { code, out } = await ended;
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 2, failed: 0, is_complete: false });
    await expectAllReadable();
    expect((await start().ended).code).toBe(0);
    await expectAllMoved();
  });

  it('leaves content alone that is not what was kept, and says so', async () => {
    const [id] = files.keys();
    await sides().from.put({ project_id: project.project_id, id: id! }, Buffer.from('not that'));
    const { code, out } = await start().ended;
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      ...{ code: 1, moved: files.size - 1, num_damaged: 1, damaged: [{ project_id: project.project_id, id }] },
    });
    expect(await sides().from.find({ project_id: project.project_id, id: id! })).toEqual(new Uint8Array(Buffer.from('not that')));
  });

  it('ends when the bucket fails, with a code and words, and loses nothing', async () => {
    fake.fault = (method) => (method === 'PUT' || method === 'DELETE' ? { status: 500, code: 'InternalError' } : undefined);
    const { code, out } = await start().ended;
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      ...{ code: 2, moved: 0, is_complete: false, failure: expect.stringContaining('InternalError') },
    });
    fake.fault = () => undefined;
    await expectAllReadable();
  });

  it('loses nothing when others move it the other way at the same time', async () => {
    const { from, to: target } = sides();
    const back = { from: target, to: from };
    for (let round = 0; round < 3; round += 1) {
      const moves = await Promise.all([newMover().moveAll(), newMover(back).moveAll()]);
      expect(moves.map(({ num_damaged }) => num_damaged)).toEqual([0, 0]);
      await expectAllReadable();
    }
  });

  it('lets records name a file that is held meanwhile, and nobody remove or hold it', async () => {
    const [id] = files.keys();
    const { fileStore } = stores();
    const key = { project_id: project.project_id, id: id! };
    const [stored] = await fileStore.list(project.project_id, [id!]);
    const first = () => fileStore.hold(key);
    const { session } = service;
    const naming = await meet(session, { first, second: () => fileStore.insertOrHold([{ ...stored!, created_by: null }]) });
    expect(naming).toEqual({ result: new Set(), waited: false });
    expect((await meet(session, { first, second: first })).waited).toBe(true);
    expect((await meet(session, { first, second: () => fileStore.release(key) })).waited).toBe(true);
  });

  it('leaves nothing of a file that is removed while it is moved', async () => {
    const [id] = files.keys();
    const key = { project_id: project.project_id, id: id! };
    const { to: target } = sides();
    const removing = {
      ...{ isTransactional: target.isTransactional, find: (file: typeof key) => target.find(file) },
      remove: (file: typeof key) => target.remove(file),
      put: async (file: typeof key, bytes: Uint8Array) => {
        await target.put(file, bytes);
        if (file.id === id && !target.isTransactional) await service.session.sql('delete from files where id = $1', [id]);
      },
    };
    const move = await newMover({ to: removing }).moveAll();
    if (target.isTransactional) return expect(move).toMatchObject({ skipped: 0, failed: 0 });
    expect(move).toMatchObject({ skipped: 1, moved: files.size - 1 });
    await project.sweep();
    expect(await target.find(key)).toBeUndefined();
  });
});

describe('the command', () => {
  it('moves nothing against the store that services fill, and nothing without a bucket', async () => {
    const run = async (env: NodeJS.ProcessEnv) => {
      const all = { ...bareEnvironment(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', ...env };
      const child = spawn(process.execPath, ['cli/touchstone.js', 'files', 'move', '--to', 's3'], { cwd: ROOT, env: all });
      const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      return { code, err };
    };
    const keys = { FILE_BUCKET: 'bucket', FILE_BUCKET_ACCESS_KEY_ID: 'a', FILE_BUCKET_SECRET_ACCESS_KEY: 'b' };
    expect(await run(keys)).toEqual({ code: 2, err: expect.stringContaining('FILE_STORE is database: set it to s3') });
    expect((await run({})).code).toBe(2);
  });
});
