import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bareEnvironment } from '../../test/setup/compile-cache.ts';
import { readConfig } from '../env.ts';
import { CredentialsFile, makeDataDir } from './credentials.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-credentials-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const getFile = (dataDir: string) => new CredentialsFile(readConfig({ DATA_DIR: dataDir }));

describe('credentials file', () => {
  it('gives the same secret to all that ask at once, and to those that come later', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => getFile(folder).accessTokenSecrets()));
    expect(new Set(secrets.flat()).size).toBe(1);
    expect(await getFile(folder).accessTokenSecrets()).toStrictEqual(secrets[0]);
    expect(await readdir(folder)).toStrictEqual(['credentials.json']);
    expect((await stat(join(folder, 'credentials.json'))).mode & 0o777).toBe(0o600);
  });

  it('keeps the secret when the administrator is added', async () => {
    const secrets = await getFile(folder).accessTokenSecrets();
    const admin = await getFile(folder).firstAdmin();
    expect(await getFile(folder).firstAdmin()).toStrictEqual(admin);
    expect(await getFile(folder).accessTokenSecrets()).toStrictEqual(secrets);
  });

  it('takes the configured secrets, the present one first', async () => {
    const ACCESS_TOKEN_SECRET = 'a'.repeat(32);
    const old = ['b'.repeat(32), 'c'.repeat(32)];
    const of = (env: object) => new CredentialsFile(readConfig({ DATA_DIR: folder, ...env })).accessTokenSecrets();
    expect(await of({ ACCESS_TOKEN_SECRET, ACCESS_TOKEN_OLD_SECRETS: old.join(', ') })).toEqual([ACCESS_TOKEN_SECRET, ...old]);
    expect(await of({ ACCESS_TOKEN_OLD_SECRETS: old[0] })).toEqual([expect.stringMatching(/^[\w-]{64}$/), old[0]]);
    expect(() => readConfig({ ACCESS_TOKEN_OLD_SECRETS: 'short' })).toThrow('ACCESS_TOKEN_OLD_SECRETS');
  });
});

describe('a new secret', () => {
  it('comes before the ones so far, of which the newest are kept', async () => {
    const [first] = await getFile(folder).accessTokenSecrets();
    expect(await getFile(folder).rotateAccessTokenSecret()).toBe(2);
    const [second, ...older] = await getFile(folder).accessTokenSecrets();
    expect(older).toEqual([first]);
    await getFile(folder).rotateAccessTokenSecret();
    expect(await getFile(folder).rotateAccessTokenSecret()).toBe(3);
    const last = await getFile(folder).accessTokenSecrets();
    expect([new Set(last).size, last[2]]).toEqual([3, second]);
  });

  it('comes before the only one of an older file, and leaves the administrator alone', async () => {
    const path = join(folder, 'credentials.json');
    await writeFile(path, JSON.stringify({ access_token_secret: 'x'.repeat(40), admin_email: 'ann@example.org' }));
    expect(await getFile(folder).accessTokenSecrets()).toEqual(['x'.repeat(40)]);
    await getFile(folder).rotateAccessTokenSecret();
    const secrets = await getFile(folder).accessTokenSecrets();
    expect(secrets).toEqual([expect.stringMatching(/^[\w-]{64}$/), 'x'.repeat(40)]);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ admin_email: 'ann@example.org', access_token_secrets: secrets });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is refused where the configuration sets it', async () => {
    const file = new CredentialsFile(readConfig({ DATA_DIR: folder, ACCESS_TOKEN_SECRET: 'a'.repeat(32) }));
    await expect(file.rotateAccessTokenSecret()).rejects.toThrow('ACCESS_TOKEN_SECRET is set');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is made by a command that says what comes next', async () => {
    const run = (env: object) => {
      return spawnSync(process.execPath, ['cli/rotate-keys.ts'], {
        env: { ...bareEnvironment(), DATA_DIR: folder, ...env },
        encoding: 'utf8',
      });
    };
    const [before] = await getFile(folder).accessTokenSecrets();
    const done = run({});
    expect([done.status, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(/restart/);
    expect(done.stdout).not.toContain(before);
    expect((await getFile(folder).accessTokenSecrets())[1]).toBe(before);
    const refused = run({ ACCESS_TOKEN_SECRET: 'a'.repeat(32) });
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('ACCESS_TOKEN_SECRET is set')]);
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
