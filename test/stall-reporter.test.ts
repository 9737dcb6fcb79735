import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

it.runIf(process.platform === 'linux')(
  'names files that hang where no limit reaches, ends them, and lets the others go on',
  async () => {
    const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', join(ROOT, 'test/stalled/vitest.config.ts')];
    const run = await new Promise<{ code: unknown; said: string }>((resolve) => {
      execFile(process.execPath, args, { cwd: ROOT }, (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, said: stripVTControlCharacters(stdout + stderr) });
      });
    });
    expect(run.code).toBe(1);
    for (const name of ['loops', 'waits']) {
      expect(run.said).toMatch(new RegExp(`^stalled: no test has ended for 5 s: .*${name}\\.stalled\\.ts`, 'm'));
      expect(run.said).toMatch(new RegExp(`exited unexpectedly with signal SIGKILL .*${name}\\.stalled\\.ts`));
    }
    expect(run.said).toMatch(/✓ ends\.stalled\.ts/);
  },
);
