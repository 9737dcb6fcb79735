import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { defineModelProvider, secret, z } from '../core/plugin-sdk/index.ts';
import { modelProviderChecks } from '../plugin-kit/model-provider-checks.ts';
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
    expect(out).toMatch(/6 checks, 1 failed\n$/);
    expect(code).toBe(1);
  });

  it('says what it lacks when it cannot begin', async () => {
    await run('new-plugin', 'scorer_kind', 'bare', '--out', 'bare');
    const kit = join(folder, 'bare/kit.js');
    writeFileSync(kit, "import { bare } from './index.js';\nexport const bareKit = { plugin: bare, definition: {} };\n");
    expect((await run('check-plugin', 'bare')).out).toContain('the case for "bare": records is not a list of texts');
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
  type Broken = Partial<Parameters<typeof defineModelProvider<typeof sampleProvider.settings>>[0]>;
  /** The checks of this name, and of those the ones that fail. */
  const tried = async (which: RegExp, broken: Broken): Promise<[all: string[], failed: string[]]> => {
    const list = modelProviderChecks({ ...sampleProviderKit, plugin: defineModelProvider({ ...sampleProvider, ...broken }) });
    const checks = list.checks.filter(({ name }) => which.test(name));
    const failed = (await runChecks({ ...list, checks })).filter(({ failure }) => failure !== undefined);
    return [checks, failed].map((some) => some.map(({ name }) => name)) as [string[], string[]];
  };
  const { create } = sampleProvider;

  it('finds nothing in a plugin that holds everything', async () => {
    expect((await tried(/./, {}))[1]).toEqual([]);
  });

  it.each<[what: string, found: RegExp, Broken]>([
    ['asks past the host', /^reads a good reply$/, { create: (host, given) => create({ ...host, fetch }, given) }],
    [
      'keeps the signal to itself',
      /^ends at once when it is aborted during silence$/,
      {
        create: (host, given) => {
          const made = create(host, given);
          return { ...made, complete: (asked) => made.complete({ ...asked, signal: AbortSignal.timeout(1_000) }) };
        },
      },
    ],
    [
      'throws what is no PluginError',
      /^reads status 401/,
      {
        create: (host, given) => {
          const made = create(host, given);
          const complete = (asked: Parameters<typeof made.complete>[0]) =>
            made.complete(asked).catch(() => Promise.reject(new Error('no')));
          return { ...made, complete };
        },
      },
    ],
    [
      'tells its token to the log',
      /^reads status 500/,
      {
        create: (host, given) => {
          host.log(`with ${given.token}`);
          return create(host, given);
        },
      },
    ],
    [
      'asks when it is created',
      /^asks nothing when it is created$/,
      {
        create: (host, given) => {
          void host.fetch(given.endpoint).catch(() => {});
          return create(host, given);
        },
      },
    ],
    ['has an id that is none', /^has a well-formed head/, { id: 'Sample' }],
    ['says nothing in its summary', /^has a well-formed head/, { summary: 'no sentence' }],
  ])(
    'finds that a plugin %s',
    async (_what, found, broken) => {
      const [all, failed] = await tried(found, broken);
      expect(all).toHaveLength(1);
      expect(failed).toEqual(all);
    },
    30_000,
  );

  it('finds settings without secrets, and with fields that nobody explains', async () => {
    const settings = z.strictObject({ endpoint: z.url(), token: z.string() });
    const plugin = defineModelProvider({ ...sampleProvider, settings });
    const stillSecret = z.strictObject({ endpoint: z.url(), token: secret(z.string()) });
    const silent = defineModelProvider({ ...sampleProvider, settings: stillSecret });
    for (const one of [plugin, silent]) {
      const verdicts = await runChecks(modelProviderChecks({ ...sampleProviderKit, plugin: one }));
      expect(verdicts[1]).toMatchObject({ failure: expect.any(String) });
    }
  });
});
