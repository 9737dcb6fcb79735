import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { packServer } from '../../cli/packaging/server-package.ts';
import { PATIENCE_MS } from '../setup/timing.ts';
import { endEverything, makeDataDir, print, until } from './service.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-installed-'));
const ended = new AbortController();
afterAll(async () => {
  ended.abort();
  await endEverything();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** How this machine reaches the registry: behind a proxy that signs by an authority of its own, packages cannot be had without it. */
const NETWORK =
  /^(?:https?_proxy|no_proxy|node_extra_ca_certs|node_use_system_ca|ssl_cert_(?:file|dir)|npm_config_(?:registry|cafile|cache|userconfig))$/i;

/** Nothing of the repository is in reach but the Node that runs the tests. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => NETWORK.test(name))),
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: process.env.HOME ?? folder,
  XDG_CONFIG_HOME: folder,
};
const run = (command: string, args: readonly string[], more: Record<string, string> = {}) =>
  promisify(execFile)(command, args, { cwd: folder, env: { ...env, ...more } });
const PROGRAM = join(folder, 'node_modules/.bin/touchstone');

/** Whether the packages that the server needs can be had, from the cache of npm or a registry. */
async function install(tarball: string): Promise<string | undefined> {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball];
  return run('npm', args).then(
    () => undefined,
    (error: Error & { stderr?: string }) => {
      if (/ENOTFOUND|ENOTCACHED|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENETUNREACH/.test(error.stderr ?? '')) return error.stderr;
      throw error;
    },
  );
}

async function start(dataDir: string): Promise<{ url: string; key: string; stop(): Promise<void> }> {
  const child = spawn(PROGRAM, ['start', '--port', '0', '--data-dir', dataDir], { cwd: folder, env, signal: ended.signal });
  let said = '';
  child.on('error', () => {});
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const url = await until(
    'start',
    PATIENCE_MS,
    async () => {
      if (child.exitCode !== null) throw new Error(`the packed server did not start:\n${said}`);
      return /^listening on (http:\S+)$/m.exec(said)?.[1];
    },
    (found) => found !== undefined,
  );
  const { admin_api_key } = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'));
  const stop = async () => {
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await gone;
  };
  return { url: url ?? '', key: admin_api_key, stop };
}

const LANGUAGES = [
  ['scorer.js', 'function scorer(record) { return /apple/.test(record.input); }'],
  ['scorer.ts', 'const found: boolean = true;\nexport default (): boolean => found;'],
  ['scorer.py', 'def scorer(record):\n    return True\n'],
] as const;

describe('the packed server', () => {
  it('is installed into an empty folder, starts with its own database, serves the console, takes a trace and scores it in each language', async ({
    skip,
  }) => {
    const began = Date.now();
    const missing = await install(await packServer(join(folder, 'packed')));
    if (missing !== undefined) {
      print(`skipped: the packed server, whose packages cannot be had here: ${missing.slice(0, 300)}`);
      skip();
    }
    const installed = Date.now();
    const dataDir = await makeDataDir();
    const service = await start(dataDir);
    const listening = Date.now();
    const client = { SERVICE_URL: service.url, SERVICE_API_KEY: service.key };
    const page = await fetch(service.url);
    expect({ status: page.status, text: await page.text() }).toMatchObject({
      status: 200,
      text: expect.stringContaining('<script'),
    });
    expect((await fetch(`${service.url}/docs/`)).status).toBe(200);

    const call = async (method: string, path: string, body: FormData | object): Promise<{ id: string }> => {
      const isForm = body instanceof FormData;
      const headers = { 'service-api-key': service.key, ...(!isForm && { 'content-type': 'application/json' }) };
      const res = await fetch(service.url + path, { method, headers, body: isForm ? body : JSON.stringify(body) });
      if (!res.ok) throw new Error(`${path}: ${res.status} ${await res.text()}`);
      return (await res.json()) as { id: string };
    };
    const { id: project_id } = await call('POST', '/v2/projects', { name: 'first' });
    const { id: log_stream_id } = await call('POST', `/v2/projects/${project_id}/log_streams`, { name: 'default' });
    const scorers = [];
    for (const [name, source] of LANGUAGES) {
      const scorer = {
        name: name.replace('.', '_'),
        scorer_type: 'code',
        scoreable_node_types: ['trace'],
        output_type: 'boolean',
      };
      const { id } = await call('POST', '/v2/scorers', scorer);
      const form = new FormData();
      form.set('file', new File([source], name));
      await call('POST', `/v2/scorers/${id}/version/code`, form);
      scorers.push({ id });
    }
    await call('PATCH', `/v2/projects/${project_id}/log_streams/${log_stream_id}/metric_settings`, { scorers });

    writeFileSync(join(folder, 'first.jsonl'), `${JSON.stringify({ input: 'an apple', output: 'yes', spans: [] })}\n`);
    const { stdout } = await run(PROGRAM, ['ingest', 'first.jsonl', '--project', 'first', '--json'], client);
    expect(JSON.parse(stdout)).toMatchObject({ traces: 1 });
    const acknowledged = Date.now();
    const search = () => run(PROGRAM, ['search', '--project', 'first', '--json'], client).then((done) => JSON.parse(done.stdout));
    const scored = await until('scoring', PATIENCE_MS, search, ({ metric_info }) =>
      LANGUAGES.every(
        ([name]) => !['pending', 'computing', undefined].includes(metric_info[name.replace('.', '_')]?.status_type),
      ),
    );
    for (const [name] of LANGUAGES)
      expect(scored.metric_info[name.replace('.', '_')]).toMatchObject({ status_type: 'success', value: true });
    print(
      `packed server: installed in ${(installed - began) / 1000} s, listening after ${(listening - installed) / 1000} s more, ` +
        `first trace acknowledged after ${(acknowledged - listening) / 1000} s more, scored in three languages after ${(Date.now() - acknowledged) / 1000} s more`,
    );

    // Ends with 1 when it finds a fault, which is shown below.
    const examined = await run(PROGRAM, ['doctor', '--json'], { DATA_DIR: dataDir, PORT: new URL(service.url).port }).catch(
      (error) => error,
    );
    const findings: { subject: string; state: string; text: string }[] = JSON.parse(examined.stdout);
    expect(findings.filter(({ state }) => state === 'fault')).toEqual([]);
    expect(findings).toContainEqual({ subject: 'migrations', state: 'ok', text: 'the schema is up to date' });
    expect(findings).toContainEqual(
      expect.objectContaining({ subject: 'port', text: expect.stringContaining('a service runs') }),
    );
    await service.stop();
  });

  it('says which Node it needs where the one at hand is too old', async () => {
    const launcher = readFileSync(join(import.meta.dirname, '../../cli/touchstone.js'), 'utf8');
    const old = launcher.replace('process.versions.node', "'20.1.0'").replace(/await import.*/, "console.log('started');");
    writeFileSync(join(folder, 'old.mjs'), old);
    await expect(run(process.execPath, ['old.mjs'])).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('needs Node 24.12 or newer'),
    });
  });
});
