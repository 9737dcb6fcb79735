import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { startService } from '../../testing/start-service.ts';

/** Packages beside the client in an application: pinned, so that the suite says the same tomorrow. */
const BESIDE = ['opentelemetry-sdk==1.45.2', 'pytest==9.2.0'];

const packages = mkdtempSync(join(tmpdir(), 'touchstone-python-packages-'));
afterAll(() => rmSync(packages, { recursive: true }));

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

function skipAs(what: string, skip: () => void): void {
  process.stdout.write(`skipped: ${what}\n`);
  skip();
}

/** Runs a module of Python among the tests of the client, against a service of its own, and returns all that it printed. */
async function runPython(args: readonly string[], path: readonly string[] = []): Promise<string> {
  const service = await startService();
  const own = { SERVICE_URL: service.url, SERVICE_API_KEY: service.apiKey, PYTHONDONTWRITEBYTECODE: '1' };
  const env = { PATH: process.env.PATH, ...own, PYTHONPATH: path.join(delimiter) };
  const run = promisify(execFile)('python3', ['-m', ...args], { cwd: import.meta.dirname, env });
  try {
    const { stdout, stderr } = await run;
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`the suite fails:\n${stdout}\n${stderr}`, { cause: error });
  } finally {
    await service.close();
  }
}

describe('the Python client', () => {
  it('passes its own suite against the service, with the standard library alone', async ({ skip }) => {
    if (findPython() === undefined) skipAs('the suite of the Python client, which needs Python 3.10 or newer', skip);
    expect(await runPython(['unittest', 'discover', '-s', 'tests', '-t', '.'])).toMatch(/Ran 13 tests(.|\n)*OK/);
  });

  it('passes it by pytest beside OpenTelemetry, whose spans its own are then', async ({ skip }) => {
    if (findPython() === undefined) skipAs('the suite of the Python client, which needs Python 3.10 or newer', skip);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', packages, ...BESIDE];
    const missing = await promisify(execFile)('python3', pip).then(
      () => undefined,
      (error: Error & { stderr?: string }) => error.stderr ?? error.message,
    );
    if (missing !== undefined) {
      if (!/No module named pip|No matching distribution|ConnectionError|Connection|name resolution/.test(missing))
        throw new Error(missing);
      skipAs(`the Python client beside OpenTelemetry, whose packages cannot be had here: ${missing.slice(0, 200)}`, skip);
    }
    const printed = await runPython(
      ['pytest', '-q', '-p', 'no:cacheprovider', '-p', 'touchstone_client.pytest_plugin', 'tests'],
      [packages, import.meta.dirname],
    );
    expect(printed).toMatch(/14 passed/);
    expect(printed).not.toMatch(/skipped|failed/);
  });
});
