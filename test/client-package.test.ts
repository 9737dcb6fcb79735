import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packClient } from '../cli/packaging/client-package.ts';

const ROOT = resolve(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
/** The repository of a user, with what `npm install` of the tarball would put there. */
const user = mkdtempSync(join(tmpdir(), 'touchstone-user-'));
afterAll(() => rmSync(user, { recursive: true }));

const run = (command: string, args: readonly string[]) =>
  promisify(execFile)(command, args, { cwd: user }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, out: error.stdout + error.stderr }),
  );

const PROGRAM = `import { init, type Evaluation } from 'touchstone-client';
import { expectToPass } from 'touchstone-client/vitest';

const touchstone = init({ project: 'shop', apiKey: 'a key' });
const double = touchstone.traced('double', (n: number) => 2 * n);
export const four: Promise<number> = double(2);
export async function judge(): Promise<Evaluation> {
  const done = await touchstone.evaluate<{ input: string }, string>({
    dataset: 'words',
    task: ({ input }) => input,
    scorers: { same: ({ row, output }) => row.input === output },
  });
  expectToPass(done, { means: { same: 1 } });
  const { data } = await touchstone.api.GET('/v2/current_user');
  console.log(data?.email);
  return done;
}
console.log('loaded');
process.exit(0);
`;

beforeAll(async () => {
  const tarball = await packClient(join(user, 'packed'));
  const installed = join(user, 'node_modules/touchstone-client');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  for (const name of ['@opentelemetry', '@types', 'undici-types', 'openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(ROOT, 'node_modules', name), join(user, 'node_modules', name));
  const compilerOptions = { target: 'es2024', module: 'nodenext', strict: true, types: ['node'], rootDir: '.', outDir: 'out' };
  writeFileSync(join(user, 'package.json'), '{"type":"module"}');
  writeFileSync(join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
});

describe('the client as a package', () => {
  it('has types that a strict compiler accepts, and is loaded', async () => {
    writeFileSync(join(user, 'main.ts'), PROGRAM);
    expect(await run(process.execPath, [TSC])).toEqual({ code: 0, out: '' });
    expect(await run(process.execPath, ['out/main.js'])).toEqual({ code: 0, out: 'loaded\n' });
  });

  it('has types that refuse a path and a task that do not fit', async () => {
    const wrong = PROGRAM.replace("'/v2/current_user'", "'/v2/nobody'").replace('=> input,', '=> 1,');
    writeFileSync(join(user, 'main.ts'), wrong);
    const { code, out } = await run(process.execPath, [TSC]);
    expect(code).not.toBe(0);
    expect(out).toMatch(/Property 'email' does not exist/);
    expect(out).toMatch(/'number' is not assignable to type 'string/);
  });
});
