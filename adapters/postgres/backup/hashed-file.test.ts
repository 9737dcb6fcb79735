import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGzip, writeGzip } from './hashed-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-hashed-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a compressed file', () => {
  it('reads as it was written', async () => {
    await writeGzip(join(folder, 'whole'), ['one\n', 'two\n']);
    expect(await text(readGzip(join(folder, 'whole')))).toBe('one\ntwo\n');
  });

  it('fails who reads it, and not the process, when it is missing or cut short', async () => {
    await expect(text(readGzip(join(folder, 'nowhere')))).rejects.toThrow('ENOENT');
    await writeGzip(join(folder, 'short'), ['one\n']);
    await truncate(join(folder, 'short'), 12);
    await expect(text(readGzip(join(folder, 'short')))).rejects.toThrow('unexpected end of file');
  });
});
