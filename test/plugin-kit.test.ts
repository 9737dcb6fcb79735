import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { defineModelProvider, type ModelProvider, z } from '../core/plugin-sdk/index.ts';
import type { CheckList } from '../plugin-kit/check.ts';
import { modelProviderChecks } from '../plugin-kit/model-provider/model-provider-checks.ts';
import { runChecks } from '../plugin-kit/run-checks.ts';
import { sampleProvider } from '../plugin-kit/templates/model_provider/index.ts';
import { sampleProviderKit } from '../plugin-kit/templates/model_provider/kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-kit-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs one of the commands from that folder, as npm would. */
async function run(command: 'new-plugin' | 'check-plugin', ...args: string[]): Promise<{ code: number; out: string }> {
  const script = join(import.meta.dirname, '../plugin-kit', `${command}.ts`);
  const env = { ...process.env, INIT_CWD: folder };
  const done = await promisify(execFile)(process.execPath, [script, ...args], { env }).catch((error: unknown) => error);
  const { code = 0, stdout, stderr } = done as { code?: number; stdout: string; stderr: string };
  return { code, out: stdout + stderr };
}

describe('a new plugin', () => {
  it.each([
    ['model_provider', 'my_model_provider'],
    ['scorer_kind', 'x'],
    ['notification_channel', 'my_channel'],
    ['otel_dialect', 'my_dialect'],
    ['code_language', 'my_language'],
    ['identity_provider', 'my_identity'],
  ])('of kind %s passes the kit at once', async (kind, id) => {
    expect(await run('new-plugin', kind, id, '--out', kind)).toMatchObject({ code: 0 });
    const { code, out } = await run('check-plugin', kind);
    expect(out).toMatch(/checks, all hold\n$/);
    expect(code).toBe(0);
  });

  it('is made nowhere where there is something, and of no other name and kind', async () => {
    for (const [says, ...args] of [
      ['is there already', 'model_provider', 'mine', '--out', '.'],
      ['is there already', 'model_provider', 'openai', '--out', 'new'],
      ['lower_snake_case', 'model_provider', '../up', '--out', 'new'],
      ['lower_snake_case', 'model_provider', 'Mine'],
      ['cannot be named', 'scorer_kind', 'delete', '--out', 'new'],
      ['usage', 'scorer', 'mine'],
      ['usage', 'scorer_kind'],
    ] as const) {
      const { code, out } = await run('new-plugin', ...args);
      expect(out).toContain(says);
      expect(code).toBe(1);
    }
  });
});

describe('the check of a plugin', () => {
  it('names what does not hold and ends with 1', async () => {
    await run('new-plugin', 'scorer_kind', 'broken', '--out', 'broken');
    const file = join(folder, 'broken/index.js');
    writeFileSync(file, readFileSync(file, 'utf8').replace('words <= max_words', 'words > max_words'));
    const { code, out } = await run('check-plugin', './broken');
    expect(out).toMatch(/FAILS {2}gives one outcome per record, in order\n {9}Expected values/);
    expect(out).toMatch(/\d+ checks, 2 failed\n$/);
    expect(code).toBe(1);
  });

  it('says what it lacks when it cannot begin', async () => {
    await run('new-plugin', 'scorer_kind', 'bare', '--out', 'bare');
    const kit = join(folder, 'bare/kit.js');
    writeFileSync(kit, "import { bare } from './index.js';\nexport const bareKit = { plugin: bare, definition: {} };\n");
    expect((await run('check-plugin', 'bare')).out).toContain('the case for "bare": records is not a list of strings');
    writeFileSync(kit, '');
    expect((await run('check-plugin', 'bare')).out).toContain('exports no case for "bare"');
    rmSync(kit);
    expect((await run('check-plugin', 'bare')).out).toContain('has no kit.js');
    expect(await run('check-plugin', 'no-such-package')).toMatchObject({
      code: 1,
      out: expect.stringContaining('plugin module "no-such-package" cannot be loaded'),
    });
  });
});

describe('the kit of model providers', () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const failed = async (list: CheckList) => (await runChecks(list)).filter(({ failure }) => failure !== undefined);

  it('passes a provider without a key that says so, and refuses it otherwise', async () => {
    cpSync(join(import.meta.dirname, '../plugin-kit/templates/model_provider/replies'), join(folder, 'keyless/replies'), {
      recursive: true,
    });
    const { settings, create, ...head } = sampleProvider;
    const plugin = defineModelProvider({
      ...head,
      settings: settings.omit({ token: true }),
      create: (host, { endpoint }) => create(host, { endpoint, token: 'none' }),
    });
    const { endpoint } = sampleProviderKit.settings;
    const given = { ...sampleProviderKit, plugin, folder: join(folder, 'keyless'), settings: { endpoint } };
    expect(await failed(modelProviderChecks({ ...given, keyless: true }))).toEqual([]);
    expect((await failed(modelProviderChecks(given))).map(({ name }) => name)).toEqual([
      'has settings that print as JSON Schema, with a secret and a meaning for every field',
      'shows its settings without secrets',
      'keeps two integrations apart',
    ]);
  });

  it('finds a key in settings that are said to be without one', async () => {
    const names = (await failed(modelProviderChecks({ ...sampleProviderKit, keyless: true }))).map(({ name }) => name);
    expect(names).toEqual(['has settings that print as JSON Schema, with a secret and a meaning for every field']);
  });

  const inProcess = (more: Partial<ModelProvider> = {}) => ({
    plugin: defineModelProvider({
      id: 'echo',
      sdk: 1,
      stability: 'experimental',
      label: 'Echo',
      summary: 'Answers inside the process.',
      settings: z.strictObject({}),
      create: () => ({
        async complete({ schema, model, signal }) {
          signal.throwIfAborted();
          const value = schema && { rating: true };
          return { text: value ? JSON.stringify(value) : 'Yes.', value, usage: {}, finish_reason: 'stop', model };
        },
        models: async () => [{ name: 'echo-1', for_scorers: true }],
        check: async () => {},
        ...more,
      }),
    }),
    settings: {},
    folder: empty,
    model: 'echo-1',
    expected: { text: 'Yes.', usage: {}, finish_reason: 'stop', model: 'echo-1' } as const,
    expectedValue: { rating: true },
    offered: [{ name: 'echo-1', for_scorers: true }],
    keyless: true,
    inProcess: true,
  });

  it('passes a provider whose model runs inside the process', async () => {
    expect(await failed(modelProviderChecks(inProcess()))).toEqual([]);
  });

  it.each<[what: string, found: string, Partial<ModelProvider>]>([
    ['asks somebody after all', 'asks nobody', { check: async () => void (await fetch('http://127.0.0.1:9').catch(() => {})) }],
    [
      'goes on when it is aborted',
      'ends with the reason of an abort',
      { complete: async ({ model }) => ({ text: 'Yes.', usage: {}, finish_reason: 'stop', model }) },
    ],
  ])('finds a provider inside the process that %s', async (_what, found, more) => {
    expect((await failed(modelProviderChecks(inProcess(more)))).map(({ name }) => name)).toContain(found);
  });
});
