import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../env.ts';
import { SecretKeys } from './secret-keys.ts';

const [FIRST, SECOND] = ['a configured key that is long enough', 'another configured key that is long enough'];

describe('the keys of secrets', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'touchstone-secret-keys-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const keys = (env: Record<string, string> = {}) => new SecretKeys(readConfig({ DATA_DIR: folder, ...env }));

  it('are generated once, and only their owner reads them', async () => {
    const [key, ...others] = keys().read();
    expect([key!.length, others]).toEqual([43, []]);
    expect(keys().read()).toEqual([key]);
    expect((await stat(join(folder, 'secret-keys.json'))).mode & 0o777).toBe(0o600);
  });

  it('are those of the configuration, and the kept ones still read', () => {
    const [kept] = keys().read();
    expect(keys({ SECRETS_KEY: FIRST, SECRETS_OLD_KEYS: SECOND }).read()).toEqual([FIRST, SECOND, kept]);
    expect(keys({ SECRETS_OLD_KEYS: SECOND }).read()).toEqual([kept, SECOND]);
  });

  it('are not generated where one is configured', async () => {
    expect(keys({ SECRETS_KEY: FIRST }).read()).toEqual([FIRST]);
    await expect(stat(join(folder, 'secret-keys.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('get a newer one in front; the oldest go unless they are needed', () => {
    const [oldest] = keys().read();
    for (let times = 0; times < 4; times += 1) keys().add();
    const all = keys().read();
    expect(all).toHaveLength(5);
    expect(all[4]).toBe(oldest);
    keys().prune((key) => key === oldest);
    expect(keys().read()).toEqual([...all.slice(0, 3), oldest]);
    expect(() => keys({ SECRETS_KEY: FIRST }).add()).toThrow('SECRETS_KEY is set');
  });

  it.each(['', '{}', '{"keys": []}', '{"keys": ["short"]}'])('are not made anew when the file holds %j', async (text) => {
    await writeFile(join(folder, 'secret-keys.json'), text);
    expect(() => keys().read()).toThrow('is damaged');
    expect(await readFile(join(folder, 'secret-keys.json'), 'utf8')).toBe(text);
  });
});
