import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BY_PYTHON, BY_TYPESCRIPT, PROJECT } from '../../cli/packaging/trial/first-programs.ts';
import { PackageTrial } from '../../cli/packaging/trial/package-trial.ts';
import { DOCUMENTATION } from '../../cli/packaging/trial/trial-table.ts';
import { print } from './service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

const folder = mkdtempSync(join(tmpdir(), 'touchstone-installed-'));
const trial = new PackageTrial(folder, ({ name, seconds }) => print(`packages: ${name}: ${seconds.toFixed(1)} s`));
afterAll(async () => {
  await trial.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const OFFLINE = /ENOTFOUND|ENOTCACHED|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|Temporary failure in name resolution/;
const NO_PYTHON = /python3.*ENOENT|No module named (?:pip|venv)|ensurepip is not available/;

/** Says why a part of the trial cannot be had on this machine; undefined when it was done. Rejects with any other failure. */
async function unlessMissing(pattern: RegExp, work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !pattern.test(error.message)) throw error;
    return error.message.slice(0, 300);
  }
}

const BY_WEB = 'from the web';
const WEB_PROGRAM = `import { init } from 'touchstone-client';
export async function send(url, apiKey) {
  const lost = [];
  const touchstone = init({ url, apiKey, project: '${PROJECT}', onLost: (_, why) => void lost.push(String(why)) });
  await touchstone.span({ name: '${BY_WEB}', type: 'agent', input: 'an apple' }, () => 'yes');
  await touchstone.shutdown();
  return JSON.stringify(lost);
}
`;
/** Globals of browsers and edge runtimes that the client may use; nothing of Node is among them. */
const WEB_GLOBALS = [
  ...['fetch', 'Headers', 'Request', 'Response', 'FormData', 'Blob', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder'],
  ...['AbortController', 'AbortSignal', 'crypto', 'performance', 'console', 'setTimeout', 'clearTimeout', 'setInterval'],
  ...['clearInterval', 'queueMicrotask', 'Uint8Array'],
] as const;

/** Bundles the installed client as web applications do, and sends a trace by it where there are only the globals of the web. */
async function traceFromTheWeb(url: string, key: string): Promise<void> {
  trial.typescript.write('web.js', WEB_PROGRAM);
  const built = await build({
    root: trial.typescript.path,
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry: join(trial.typescript.path, 'web.js'), formats: ['iife'], name: 'Bundle' } },
  });
  const [bundle] = Array.isArray(built) ? built : [built];
  const code = bundle && 'output' in bundle ? bundle.output[0].code : '';
  expect(code).not.toMatch(/\brequire\(/);
  const globals = Object.fromEntries(WEB_GLOBALS.map((name) => [name, globalThis[name]]));
  const web = createContext({ ...globals });
  const { send } = runInContext(`${code}\nBundle;`, web) as { send(url: string, key: string): Promise<string> };
  expect(await send(url, key)).toBe('[]');
}

describe('the packages, installed into empty folders', () => {
  it('start the service with its own database, and have the first traces of both clients scored in each language', async ({
    skip,
  }) => {
    await trial.pack('server');
    await trial.pack('client');
    const missing = await unlessMissing(OFFLINE, async () => {
      await Promise.all([trial.installServer(), trial.installTypeScript()]);
    });
    if (missing !== undefined) {
      print(`skipped: the packed server, whose packages cannot be had here: ${missing}`);
      skip();
    }
    await trial.start();
    const { url, dataDir } = trial.running;
    const page = await fetch(url);
    expect({ status: page.status, text: await page.text() }).toMatchObject({
      status: 200,
      text: expect.stringContaining('<script'),
    });
    expect((await fetch(`${url}/docs/`)).status).toBe(200);
    await trial.enableScorers();
    await trial.traceByTypeScript();
    await traceFromTheWeb(url, trial.running.key);
    const noPython = await unlessMissing(new RegExp(`${OFFLINE.source}|${NO_PYTHON.source}`), async () => {
      await trial.pack('python-client');
      await trial.installPython();
    });
    if (noPython === undefined) await trial.traceByPython();
    else print(`skipped: the package of the Python client, which cannot be built here: ${noPython}`);
    await trial.waitForScores(...(noPython === undefined ? [BY_TYPESCRIPT, BY_WEB, BY_PYTHON] : [BY_TYPESCRIPT, BY_WEB]));

    // Ends with 1 when it finds a fault, which is shown below.
    const doctor = ['-c', 'npx --no-install touchstone doctor --json || true'];
    const examined = await trial.server.run('sh', doctor, { DATA_DIR: dataDir, PORT: new URL(url).port });
    const findings: { subject: string; state: string; text: string }[] = JSON.parse(examined);
    expect(findings.filter(({ state }) => state === 'fault')).toEqual([]);
    expect(findings).toContainEqual({ subject: 'migrations', state: 'ok', text: 'the schema is up to date' });
    expect(findings).toContainEqual(
      expect.objectContaining({ subject: 'port', text: expect.stringContaining('a service runs') }),
    );
    await trial.stop();

    const table = readFileSync(join(ROOT, DOCUMENTATION), 'utf8');
    expect(trial.steps.filter(({ name }) => !table.includes(`| ${name} |`))).toEqual([]);
  });

  it('say which step failed and why', async () => {
    await expect(new PackageTrial(mkdtempSync(join(folder, 'other-'))).traceByTypeScript()).rejects.toThrow(
      'first trace by the TypeScript client, until it is acknowledged: the server was not started',
    );
  });

  it('say which Node they need where the one at hand is too old', async () => {
    const launcher = readFileSync(join(ROOT, 'cli/touchstone.js'), 'utf8');
    const old = launcher.replace('process.versions.node', "'20.1.0'").replace(/await import.*/, "console.log('started');");
    trial.server.write('old.mjs', old);
    await expect(trial.server.run(process.execPath, ['old.mjs'])).rejects.toMatchObject({
      message: expect.stringContaining('needs Node 24.12 or newer'),
      cause: { code: 2, stdout: '' },
    });
  });
});

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
  const email: string | undefined = data?.email;
  console.log(email);
  return done;
}
`;

const STRICT = { strict: true, noEmit: true, skipLibCheck: false };
/** Compiler settings by platform. Edge has the interfaces of the web, and no types of Node. */
const PLATFORMS = {
  Node: { ...STRICT, target: 'es2024', module: 'nodenext', types: ['node'] },
  'a bundler for browsers': {
    ...STRICT,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'dom'],
    types: [],
  },
  'an edge runtime': {
    ...STRICT,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'webworker'],
    types: [],
  },
};

describe('the types of the installed TypeScript client', () => {
  const isInstalled = () => trial.packages.get('client')?.installed !== undefined;
  beforeAll(() => {
    // The compiler and the types of Node are what an application has by itself.
    if (isInstalled())
      for (const name of ['@types', 'undici-types'])
        symlinkSync(join(ROOT, 'node_modules', name), join(trial.typescript.path, 'node_modules', name));
  });
  const compile = (program: string, compilerOptions: object): Promise<string> => {
    trial.typescript.write('main.ts', program);
    trial.typescript.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['main.ts'] }));
    return trial.typescript.run(process.execPath, [TSC]);
  };

  it.for(Object.entries(PLATFORMS))('are accepted by a strict compiler for %s', async ([, compilerOptions], { skip }) => {
    if (!isInstalled()) skip();
    expect(await compile(PROGRAM, compilerOptions)).toBe('');
  });

  it('refuse a path and a task that do not fit', async ({ skip }) => {
    if (!isInstalled()) skip();
    const wrong = PROGRAM.replace("'/v2/current_user'", "'/v2/nobody'").replace('=> input,', '=> 1,');
    const refused = compile(wrong, PLATFORMS.Node);
    await expect(refused).rejects.toThrow(/Property 'email' does not exist/);
    await expect(refused).rejects.toThrow(/'number' is not assignable to type 'string/);
  });
});
