import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs one of the commands from that folder, as npm would. */
async function run(command: 'new-plugin' | 'check-plugin', ...args: string[]): Promise<{ code: number; out: string }> {
  const script = join(import.meta.dirname, '../plugin-kit', `${command}.ts`);
  const env = { ...process.env, INIT_CWD: folder };
  const done = await promisify(execFile)(process.execPath, [script, ...args], { env }).catch((error: unknown) => error);
  const { code = 0, stdout, stderr } = done as { code?: number; stdout: string; stderr: string };
  return { code, out: stdout + stderr };
}

/** A new plugin with one line of its source replaced, tried. */
async function tried(kind: string, id: string, line: string, by: string): Promise<{ code: number; out: string }> {
  await run('new-plugin', kind, id, '--out', id);
  const file = join(folder, id, 'index.js');
  const source = readFileSync(file, 'utf8');
  expect(source).toContain(line);
  writeFileSync(file, source.replace(line, by));
  return run('check-plugin', id, '--limit', '2');
}

const ASKS = 'const reply = await far.json(Reply, `${endpoint}/chat/completions`';
const AGAIN = `for (;;) await far.json(Reply, endpoint, { headers, signal: new AbortController().signal }).catch(() => new Promise((go) => setTimeout(go, 5)));`;

describe('the check of a plugin that does not finish by itself', () => {
  it.each([
    ['ends the process when it is asked', 'ends_it', ASKS, `process.exit(0);\n${ASKS}`, 'ended the process, with code 0'],
    [
      'kills the process when it is asked',
      'kills_it',
      ASKS,
      `process.kill(process.pid, 'SIGKILL');\n${ASKS}`,
      'ended the process, with SIGKILL',
    ],
    ['keeps the process busy', 'is_busy', ASKS, `for (;;);\n${ASKS}`, 'kept the process busy for more than 4 s'],
    ['asks again without end', 'asks_on', ASKS, `${AGAIN}\n${ASKS}`, 'took more than 2 s'],
  ])('is red for one that %s', async (_what, id, line, by, says) => {
    const { code, out } = await tried('model_provider', id, line, by);
    expect(out).toContain(says);
    expect(out).toContain('was not tried: 3 checks before it did not end');
    expect(out).toMatch(/ {2}ok {5}has a well-formed head and is frozen\n/);
    expect(out).toMatch(/checks, \d+ failed\n$/);
    expect(code).toBe(1);
  });

  const POSTS = 'const body = JSON.stringify({ id, text: title });';
  it.each([
    ['ends the process', 'channel_ends', 'process.exit(0);', 'ended the process, with code 0'],
    ['keeps the process busy', 'channel_busy', 'for (;;);', 'kept the process busy for more than 4 s'],
  ])('is red for a notification channel that %s when it is to tell', async (_what, id, line, says) => {
    const { code, out } = await tried('notification_channel', id, POSTS, `${line}\n${POSTS}`);
    expect(out).toContain(says);
    expect(code).toBe(1);
  });

  it.each([
    ['ends the process', 'ends_early', 'process.exit(0);', 'while it was loaded it ended the process, with code 0'],
    ['keeps the process busy', 'busy_early', 'for (;;);', 'while it was loaded it took more than 12 s'],
    ['waits for ever', 'waits_early', 'await new Promise(() => {});', 'while it was loaded it took more than 12 s'],
  ])('is red for one that %s while it is loaded', async (_what, id, line, says) => {
    const { code, out } = await tried('scorer_kind', id, 'export const', `${line}\nexport const`);
    expect(out).toContain(says);
    expect(code).toBe(1);
  });
});

describe('the check of a plugin', () => {
  it('goes on in a fresh process after one that was ended', async () => {
    const once = "if (messages.at(-1).content.startsWith('question-one')) process.exit(0);";
    const { code, out } = await tried('model_provider', 'ends_once', ASKS, `${once}\n${ASKS}`);
    expect(out).toMatch(/FAILS {2}keeps two calls apart\n {9}ended the process, with code 0\n {2}ok {5}changes nothing/);
    expect(out).toMatch(/checks, 1 failed\n$/);
    expect(code).toBe(1);
  });

  it('sees what goes wrong where nobody waits for it', async () => {
    const thrown = "setTimeout(() => { throw new Error('nobody waits'); });";
    const rejected = "void Promise.reject(new Error('nobody waits'));";
    expect((await tried('model_provider', 'throws_late', ASKS, `${thrown}\n${ASKS}`)).out).toContain(
      'threw in a timer or an event handler: nobody waits',
    );
    expect((await tried('model_provider', 'rejects_late', ASKS, `${rejected}\n${ASKS}`)).out).toContain(
      'left a promise rejected: nobody waits',
    );
  });

  it('keeps what a plugin prints out of its report', async () => {
    const { out } = await tried(
      'scorer_kind',
      'prints',
      'export const',
      "process.stdout.write('99 checks, all hold');\nexport const",
    );
    expect(out).not.toContain('99 checks');
  });
});
