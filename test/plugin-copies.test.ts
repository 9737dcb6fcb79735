import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pluginsIn } from '../config/plugin-modules.ts';
import { CircuitOpenError } from '../core/integrations/provider-failure.ts';
import { type ModelProviderPlugin, PluginError, secretPaths } from '../core/plugin-sdk/index.ts';

const ROOT = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'touchstone-copies-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = async (script: string, ...args: string[]): Promise<string> => {
  const options = { cwd: ROOT, env: { ...process.env, INIT_CWD: folder } };
  const done = await promisify(execFile)(process.execPath, [join(ROOT, script), ...args], options).catch(
    (error: unknown) => error,
  );
  const { stdout, stderr } = done as { stdout: string; stderr: string };
  return stdout + stderr;
};

/** A plugin with the SDK and zod bundled into its one file, as bundlers make it, loaded beside ours. */
let bundled: ModelProviderPlugin;
let text: string;
beforeAll(async () => {
  await run('plugin-kit/new-plugin.ts', 'model_provider', 'bundled_models', '--out', 'source');
  const outDir = join(folder, 'bundled');
  await build({
    root: join(folder, 'source'),
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: { 'touchstone/plugin-sdk': join(ROOT, 'core/plugin-sdk/index.ts'), zod: join(ROOT, 'node_modules/zod/index.js') },
    },
    build: {
      outDir,
      minify: false,
      lib: { entry: join(folder, 'source/index.js'), formats: ['es'], fileName: () => 'index.js' },
    },
  });
  for (const name of ['package.json', 'kit.js'])
    writeFileSync(join(outDir, name), readFileSync(join(folder, 'source', name), 'utf8'));
  text = readFileSync(join(outDir, 'index.js'), 'utf8');
  [bundled] = (await pluginsIn(outDir)) as [ModelProviderPlugin];
});

describe('a plugin that bundles the SDK and zod', () => {
  it('has copies of its own', () => {
    expect(text).not.toMatch(/^import /m);
    expect(text).toContain('extends Error');
    expect(text).toContain('toJSONSchema');
  });

  it('throws a PluginError of its own that is recognised, with what it says', async () => {
    const fetch = async () => new Response('no', { status: 429, headers: { 'retry-after': '7' } });
    const host = { fetch, clock: () => new Date(), log: () => {} };
    const settings = bundled.settings.parse({ endpoint: 'https://models.example', token: 'a-token' });
    const error: unknown = await bundled
      .create(host, settings)
      .check(new AbortController().signal)
      .catch((failure: unknown) => failure);
    expect((error as Error).constructor).not.toBe(PluginError);
    expect(error).toBeInstanceOf(PluginError);
    expect(error).toMatchObject({ failure: 'rate_limited', status: 429, retry_after_seconds: 7, retryable: true });
  });

  it('lets a PluginError of the host pass, such as the refusal of a URL', async () => {
    const refusal = new PluginError('unsupported', 'this address may not be called');
    const host = { fetch: () => Promise.reject(refusal), clock: () => new Date(), log: () => {} };
    const settings = bundled.settings.parse({ endpoint: 'https://models.example', token: 'a-token' });
    await expect(bundled.create(host, settings).check(new AbortController().signal)).rejects.toBe(refusal);
  });

  it('has schemas that the host reads, with what is secret in them', () => {
    expect(secretPaths(bundled.settings)).toEqual([['token']]);
  });

  it('passes the check of plugins', async () => {
    cpSync(join(folder, 'source/replies'), join(folder, 'bundled/replies'), { recursive: true });
    writeFileSync(join(folder, 'bundled/README.md'), readFileSync(join(folder, 'source/README.md'), 'utf8'));
    expect(await run('plugin-kit/check-plugin.ts', 'bundled')).toMatch(
      /^model provider bundled_models\n(.|\n)*checks, all hold\n$/,
    );
  });

  it('is refused when its zod keeps to itself what is secret, as the first releases of zod 4 did', async () => {
    mkdirSync(join(folder, 'older'));
    writeFileSync(join(folder, 'older/package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'older/index.js'), text.replaceAll('__zod_globalRegistry', '__registry_of_its_own'));
    await expect(pluginsIn(join(folder, 'older'))).rejects.toThrow(
      'settings is a schema of a copy of zod that keeps to itself what is secret',
    );
  });
});

describe('the brand of PluginError', () => {
  it('is had by classes that extend it, and makes nobody one of those', () => {
    const open = new CircuitOpenError('acme', 1_000);
    expect(open).toBeInstanceOf(PluginError);
    expect(open).toBeInstanceOf(CircuitOpenError);
    expect(new PluginError('unavailable', 'away')).not.toBeInstanceOf(CircuitOpenError);
  });

  it.each([undefined, null, 'PluginError', new Error('plain'), { name: 'PluginError', failure: 'unavailable' }])(
    'is not had by %s',
    (other) => {
      expect(other).not.toBeInstanceOf(PluginError);
    },
  );
});
