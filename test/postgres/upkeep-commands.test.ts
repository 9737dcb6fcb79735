import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../cli/commands/program.ts';
import type { Terminal } from '../../cli/commands/terminal.ts';
import { copyMigratedDatabase, createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { queryAt } from '../setup/query-at.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-upkeep-'));
  database = await copyMigratedDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The command as an operator runs it, in this process. */
async function touchstone(args: readonly string[], { url = database.url, dataDir = 'data', isWatched = false } = {}) {
  const ended = { code: 0, out: '', err: '' };
  const terminal: Terminal = {
    env: { DATABASE_URL: url, DATA_DIR: join(folder, dataDir), LOG_LEVEL: 'silent' },
    isWatched,
    out: (text) => {
      ended.out += text;
    },
    err: (text) => {
      ended.err += text;
    },
  };
  const setExitCode = (code: number): void => {
    ended.code = code;
  };
  await buildProgram(terminal, '0.1.0', setExitCode).parseAsync([...args], { from: 'user' });
  return ended;
}
const readJson = async (...args: string[]) => {
  const { code, out } = await touchstone([...args, '--json']);
  return { code, result: JSON.parse(out) };
};

describe('commands about the installation here', () => {
  it('say as JSON what they did: the schema, keys and secrets', async () => {
    expect(await readJson('migrate')).toEqual({ code: 0, result: { up_to_date: true } });
    expect(await readJson('rotate-keys')).toMatchObject({ code: 0, result: { file: join(folder, 'data/credentials.json') } });
    expect(await readJson('rotate-secrets')).toEqual({ code: 0, result: { integrations: 0 } });
    expect((await touchstone(['migrate'])).out).toBe('the schema is up to date\n');
    expect((await touchstone(['rotate-secrets'])).out).toContain('0 integrations were wrapped');
  });

  it('end with 1 where the audit log is broken, and name the line', async () => {
    expect(await readJson('check-audit')).toMatchObject({ code: 0, result: { entries: 0, broken_at: null } });
    await queryAt(
      database.url,
      `insert into audit_log (sequence, at, action, object_kind, details, previous_hash, hash)
       values (1, now(), 'project.read', 'project', '{}', repeat('0', 64), repeat('a', 64))`,
    );
    expect(await readJson('check-audit')).toMatchObject({ code: 1, result: { broken_at: 1 } });
    expect((await touchstone(['check-audit'])).out).toBe(
      'the audit log is broken: line 1 does not follow on the one before it\n',
    );
  });

  it('show how far a backup and its restoration are, to who watches alone', async () => {
    const made = join(folder, 'backup');
    const { err, out } = await touchstone(['backup', made], { isWatched: true });
    expect(err).toMatch(/tables \[[# ]+\] \d+\/\d+/);
    expect(out).toContain('rows of');
    const empty = await createTestDatabase();
    try {
      const restored = await touchstone(['restore', made, '--json'], { url: empty.url, dataDir: 'restored', isWatched: true });
      expect(restored.err).toMatch(/tables \[[# ]+\] \d+\/\d+/);
      expect(JSON.parse(restored.out)).toMatchObject({ format: 1 });
    } finally {
      await empty.drop();
    }
    expect((await touchstone(['backup', `${made}-2`])).err).toBe('');
  });
});
