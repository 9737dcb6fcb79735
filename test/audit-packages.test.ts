import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command where npm prints this. */
async function audit(printed: string): Promise<{ code: number; stdout: string; stderr: string }> {
  await writeFile(join(folder, 'printed'), printed);
  await writeFile(join(folder, 'npm'), `#!/bin/sh\ncat "${join(folder, 'printed')}"\n`);
  await chmod(join(folder, 'npm'), 0o755);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const script = join(import.meta.dirname, 'scripts/audit-packages.ts');
  return promisify(execFile)(process.execPath, [script], { env }).then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

const found = (vulnerabilities: object) => JSON.stringify({ metadata: { vulnerabilities } });

describe.skipIf(process.platform === 'win32')('the audit of packages', () => {
  it('succeeds only when the registry was asked and knows of nothing grave', async () => {
    expect(await audit(found({ moderate: 2, high: 0, critical: 0 }))).toMatchObject({
      code: 0,
      stdout: 'known faults: 0 critical, 0 high, 2 moderate\n',
    });
    expect((await audit(found({ moderate: 0, high: 1, critical: 0 }))).code).toBe(1);
    expect((await audit(found({ moderate: 0, high: 0, critical: 1 }))).code).toBe(1);
  });

  it.each([
    ['nothing', '', 'nothing at all'],
    ['a page', '<html>Method not allowed</html>', '<html>'],
    ['an error', '{"message":"405 Method Not Allowed - POST audit"}', '405 Method Not Allowed'],
    ['another form', '{"metadata":{}}', '{"metadata":{}}'],
  ])('fails, and says that nothing was checked, when the registry answers %s', async (_what, printed, reason) => {
    const { code, stdout, stderr } = await audit(printed);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`NOT CHECKED: the registry at hand has no answer to npm audit: ${reason}`);
  });
});
