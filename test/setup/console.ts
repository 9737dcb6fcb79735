import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connect } from '../../demo/api.ts';
import { painter } from '../../demo/report.ts';
import { readSample } from '../../demo/sample.ts';
import { show } from '../../demo/show.ts';
import { launchBrowser } from '../console/browser.ts';
import { endEverything, makeDataDir, startService } from '../system/service.ts';
import { CONSOLE_WORKERS } from './console-workers.ts';
import { PATIENCE_MS } from './timing.ts';

/** A service that the console is looked at on, holding the demo's data. */
export interface TestConsole {
  readonly url: string;
  readonly api_key: string;
  readonly email: string;
  readonly password: string;
  readonly project_id: string;
  /** A trace with a tool call. */
  readonly trace_id: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** One for each worker, by `VITEST_POOL_ID`. */
    testConsoles: readonly TestConsole[];
    /** Why no browser starts here; null when one does. */
    browserMissing: string | null;
  }
}

const ROOT = resolve(import.meta.dirname, '../..');
const ADMIN = { email: 'admin@example.org', password: 'correct horse battery', api_key: 'key-of-the-console-tests-1' };

/**
 * Builds the console as it is now and starts a real service for each worker. Where no browser starts, it says that the tests
 * are skipped; in continuous integration, where `CI` is set, that fails the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = await browserMissing();
  if (missing !== null && process.env.CI) throw new Error(missing);
  if (missing !== null) process.stderr.write(`\nSKIPPED: all tests of the console. ${missing}\n\n`);
  project.provide('browserMissing', missing);
  const built = spawnSync(process.execPath, [join(ROOT, 'console/build.js')], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the console cannot be built:\n${built.stdout}${built.stderr}`);
  project.provide('testConsoles', await Promise.all(Array.from({ length: CONSOLE_WORKERS }, startTestConsole)));
  return endEverything;
}

async function startTestConsole(): Promise<TestConsole> {
  const dataDir = await makeDataDir();
  const service = await startService(dataDir, {
    // From outside the repository.
    PLUGINS: [makePlugin('scorer_kind', 'few_words', dataDir), makePlugin('notification_channel', 'board', dataDir)].join(','),
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ADMIN_API_KEY: ADMIN.api_key,
    LOG_LEVEL: 'warn',
    EXPORT_TO: join(dataDir, 'export'),
    EXPORT_INTERVAL_SECONDS: '1',
    // For webhooks and models that tests play themselves.
    ALLOWED_PRIVATE_ENDPOINTS: '127.0.0.1',
  });
  const { project_id, trace_id } = await show(connect(service.url, ADMIN.api_key), readSample(), {
    print: () => undefined,
    paint: painter(false),
    waitMs: PATIENCE_MS,
  });
  return { url: service.url, ...ADMIN, project_id, trace_id };
}

/** Returns the folder of a new one. */
function makePlugin(kind: 'scorer_kind' | 'notification_channel', id: string, folder: string): string {
  const out = join(folder, id.replaceAll('_', '-'));
  const made = spawnSync(process.execPath, [join(ROOT, 'plugin-kit/new-plugin.ts'), kind, id, out], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`no ${kind} can be made:\n${made.stderr}`);
  return out;
}

async function browserMissing(): Promise<string | null> {
  try {
    await (await launchBrowser()).close();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
