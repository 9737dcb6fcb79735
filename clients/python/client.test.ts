import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedService, startService } from '../../testing/start-service.ts';

let service: StartedService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Version of Python 3, or undefined where there is none that is new enough. */
function findPython(): string | undefined {
  try {
    const version = execFileSync('python3', ['-c', 'import sys; print("%d.%02d" % sys.version_info[:2])'], {
      encoding: 'utf8',
    }).trim();
    return version >= '3.10' ? version : undefined;
  } catch {
    return undefined;
  }
}

it('passes its own suite against the service', async ({ skip }) => {
  if (findPython() === undefined) {
    process.stdout.write('skipped: the suite of the Python client, which needs Python 3.10 or newer\n');
    skip();
  }
  const env = { PATH: process.env.PATH, SERVICE_URL: service.url, SERVICE_API_KEY: service.apiKey, PYTHONDONTWRITEBYTECODE: '1' };
  const run = promisify(execFile)('python3', ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'], {
    cwd: import.meta.dirname,
    env,
  });
  const { stderr } = await run.catch((error: Error & { stderr?: string }) => {
    throw new Error(`the suite fails:\n${error.stderr}`);
  });
  expect(stderr).toMatch(/Ran 5 tests(.|\n)*OK/);
});
