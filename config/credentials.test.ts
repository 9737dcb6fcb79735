import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CredentialsFile, makeDataDir } from './credentials.ts';
import { readConfig } from './env.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-credentials-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fileOf = (dataDir: string) => new CredentialsFile(readConfig({ DATA_DIR: dataDir }));

describe('credentials file', () => {
  it('gives the same secret to all that ask at once, and to those that come later', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => fileOf(folder).accessTokenSecret()));
    expect(new Set(secrets).size).toBe(1);
    expect(await fileOf(folder).accessTokenSecret()).toBe(secrets[0]);
    expect(await readdir(folder)).toStrictEqual(['credentials.json']);
    expect((await stat(join(folder, 'credentials.json'))).mode & 0o777).toBe(0o600);
  });

  it('keeps the secret when the administrator is added', async () => {
    const secret = await fileOf(folder).accessTokenSecret();
    const admin = await fileOf(folder).firstAdmin();
    expect(await fileOf(folder).firstAdmin()).toStrictEqual(admin);
    expect(await fileOf(folder).accessTokenSecret()).toBe(secret);
  });
});

describe('data folder', () => {
  it('is made with what lies above it, and may be there already', async () => {
    const path = join(folder, 'a', 'b');
    await makeDataDir(path);
    await makeDataDir(path);
    expect((await stat(path)).mode & 0o777).toBe(0o711);
  });
});
