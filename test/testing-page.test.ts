import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
/** Three backticks, a language and the path of a file; then the text up to the next three. */
const BLOCK = /^```\w+ (\S+)\n(.*?)^```$/gms;
const page = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8');
const blocks = [...page.matchAll(BLOCK)].map(([, path = '', text = '']) => ({ path, text }));
const tests = blocks.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));

/** A project outside of the repository, into which the checkout is linked as `npm install ../touchstone` does. */
const folder = mkdtempSync(join(tmpdir(), 'touchstone-testing-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(() => {
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules/touchstone'));
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  for (const { path, text } of [...blocks, { path: 'package.json', text: '{ "type": "module" }' }]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});

async function run(...args: string[]): Promise<{ code: number; out: string }> {
  const { NODE_OPTIONS: _, VITEST: __, FORCE_COLOR: ___, ...inherited } = process.env;
  const options = { cwd: folder, env: { ...inherited, NO_COLOR: '1' } };
  const done = await promisify(execFile)(process.execPath, args, options).catch((error: unknown) => error);
  const { code = 0, stdout, stderr } = done as { code?: number; stdout: string; stderr: string };
  return { code, out: stdout + stderr };
}

describe('docs/testing.md', () => {
  it.each(tests)('has a file %s that runs as it stands in a project of its own', async (path) => {
    const { code, out } = await run('--test', '--test-reporter=tap', path);
    expect(out).toMatch(/^# fail 0$/m);
    expect(out).toMatch(/^# pass [1-9]/m);
    expect(code).toBe(0);
  });

  it('has types that the compiler of that project accepts', async () => {
    expect(await run(join(ROOT, 'node_modules/typescript/bin/tsc'))).toEqual({ code: 0, out: '' });
  });

  it('has types that refuse a service that does not exist', async () => {
    const path = 'services.test.ts';
    const { text = '' } = blocks.find((block) => block.path === path) ?? {};
    writeFileSync(join(folder, path), text.replace('{ projectService }', '{ projectServant }'));
    const { out } = await run(join(ROOT, 'node_modules/typescript/bin/tsc'));
    writeFileSync(join(folder, path), text);
    expect(out).toMatch(/services\.test\.ts.*projectServant/);
  });

  it('shows each of the ways in', () => {
    expect(tests).toEqual(['services.test.ts', 'overrides.test.ts', 'service.test.ts', 'plugin.test.ts']);
    for (const way of ['openServices()', 'startService()', 'STORE=memory npm start']) expect(page).toContain(way);
  });
});
