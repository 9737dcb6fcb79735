import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ObjectStoreError } from '../../core/object-storage/object-store.ts';
import { listAll, objectStoreContract } from '../../test/contracts/object-storage/object-store.contract.ts';
import { FAKE_S3_KEYS, FakeS3 } from '../../test/fixtures/s3/fake-s3.ts';
import { FolderObjectStore } from './folder-object-store.ts';
import { S3ObjectStore, type S3Settings } from './s3-object-store.ts';

const makeFolder = () => mkdtemp(join(tmpdir(), 'touchstone-objects-'));

objectStoreContract('folder', async () => {
  const folder = await makeFolder();
  return { port: new FolderObjectStore(join(folder, 'deep', 'er')), close: () => rm(folder, { recursive: true }) };
});

async function openS3(more: Partial<S3Settings> = {}) {
  const server = new FakeS3('bucket');
  const endpoint = await server.listen();
  const settings = { endpoint, region: 'eu-central-1', bucket: 'bucket', prefix: 'some/where/', ...FAKE_S3_KEYS, ...more };
  return { server, port: new S3ObjectStore(settings), close: () => server.close() };
}

objectStoreContract('S3', async () => {
  const opened = await openS3();
  opened.server.pageSize = 2;
  return opened;
});

objectStoreContract('S3 without a prefix, with temporary credentials', () => openS3({ prefix: '', sessionToken: 'token' }));

describe('a folder of objects', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await makeFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('lists nothing that is being written, and clears away what a process that died left long ago', async () => {
    await mkdir(join(folder, '.partial'));
    await writeFile(join(folder, '.partial', 'old'), 'x');
    await writeFile(join(folder, '.partial', 'young'), 'x');
    await utimes(join(folder, '.partial', 'old'), 1, 1);
    const store = new FolderObjectStore(folder);
    await store.put('a/b', new Uint8Array(1));
    expect(await listAll(store)).toEqual([{ key: 'a/b', bytes: 1 }]);
    expect(await readdir(join(folder, '.partial'))).toEqual(['young']);
  });

  it('says what went wrong with which folder', async () => {
    await writeFile(join(folder, 'file'), 'x');
    const store = new FolderObjectStore(join(folder, 'file'));
    const put = store.put('a', new Uint8Array(1));
    await expect(put).rejects.toThrow(ObjectStoreError);
    await expect(put).rejects.toThrow(join(folder, 'file'));
  });
});

describe('a bucket', () => {
  it('refuses another secret, and the reason names no credentials', async () => {
    const { port, server, close } = await openS3({ secretAccessKey: 'another' });
    try {
      const put = port.put('a', new Uint8Array(1));
      await expect(put).rejects.toThrow(ObjectStoreError);
      await expect(put).rejects.toThrow('PUT s3://bucket/some/where/a: 403 SignatureDoesNotMatch: refused');
      expect(server.objects.size).toBe(0);
    } finally {
      await close();
    }
  });

  it('refuses what is signed for another region', async () => {
    const { port, close } = await openS3({ region: 'us-east-1' });
    try {
      await expect(port.get('a')).rejects.toThrow('403 AuthorizationHeaderMalformed');
    } finally {
      await close();
    }
  });

  it('passes on why it could not do something', async () => {
    const { port, server, close } = await openS3();
    try {
      server.fault = () => ({ status: 503, code: 'SlowDown' });
      await expect(port.get('a')).rejects.toThrow('503 SlowDown');
      await expect(listAll(port)).rejects.toThrow(ObjectStoreError);
      server.fault = () => 'hang up';
      await expect(port.remove('a')).rejects.toThrow(ObjectStoreError);
      server.fault = () => ({ status: 307, code: 'TemporaryRedirect' });
      await expect(port.put('a', new Uint8Array(1))).rejects.toThrow('307 TemporaryRedirect');
    } finally {
      await close();
    }
    await expect(port.get('a')).rejects.toThrow(/ECONNREFUSED/);
  });
});
