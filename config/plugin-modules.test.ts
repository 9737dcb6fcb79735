import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'touchstone plugins-'));
const LOADER = pathToFileURL(join(import.meta.dirname, 'plugin-modules.ts')).href;
const SDK = pathToFileURL(join(import.meta.dirname, '../core/plugin-sdk/index.ts')).href;

const acme = (imported: string) => `import { ${imported} } from 'touchstone/plugin-sdk';
export { PluginError } from 'touchstone/plugin-sdk';
export const acme = defineModelProvider({ id: 'acme', sdk: 1, stability: 'experimental', label: 'Acme',
  summary: 'Models of Acme.', settings: z.strictObject({ token: Token }), create: () => ({}) });
`;
const file = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const scorerKind = (fields: string) =>
  `export const it = { kind: 'scorer_kind', id: 'it', sdk: 1, stability: 'stable', label: 'It', summary: 'x', create() {}, ${fields} };`;

beforeAll(() => {
  const source = acme('defineModelProvider, Token, z');
  file('package.json', '{"type":"module"}');
  file('acme/index.js', source);
  file('typed/index.ts', `${source}export const later: number = 1;\n`);
  file('node_modules/acme-package/package.json', '{"type":"module","exports":{"import":"./main.js"}}');
  file('node_modules/acme-package/main.js', source);
  file('unknown-import.js', acme('defineModelProvider, Tokken as Token, z'));
  file('hangs.js', 'await new Promise((resolve) => setTimeout(resolve, 600_000));');
  file('busy.js', `const until = Date.now() + 2_000; while (Date.now() < until);\n${source}`);
  file('none.js', 'export const nothing = 1;');
  file('throws.js', "throw new Error('no such luck');");
  file('bare.js', "export const bare = { kind: 'model_provider', id: 'bare', sdk: 1, stability: 'so-so', settings: 7 };");
  file('schema.js', scorerKind("definition: { type: 'object' }"));
  file('surroundings.js', scorerKind("surroundings: 'trace'"));
  const sdk = "import { Token, z } from 'touchstone/plugin-sdk';\n";
  file('secret.js', sdk + scorerKind('definition: z.object({ token: Token })'));
  file('trial.js', sdk + scorerKind("definition: z.object({}), trial: { on: ['samples'], body: z.object({}) }"));
  file('old.js', "export const old = { kind: 'scorer_kind', id: 'old', sdk: 0 };");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Reports the plugin that a process started in the folder finds in each module, or why it finds none. */
async function found(...specifiers: string[]): Promise<string[]> {
  const program = `
    const { pluginsIn } = await import('${LOADER}');
    const said = await Promise.all(${JSON.stringify(specifiers)}.map((one) =>
      pluginsIn(one).then((plugins) => plugins.map(({ id }) => id).join(), (error) => error.message)));
    const same = await import('${SDK}') .then(({ PluginError }) =>
      import(${JSON.stringify(pathToFileURL(join(folder, 'acme/index.js')).href)}).then((acme) => acme.PluginError === PluginError));
    console.log(JSON.stringify([...said, String(same)]));`;
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse((await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout);
}

/** Loads a slow module; returns the message about it and the result. */
async function slow(specifier: string): Promise<{ said: string; stderr: string }> {
  const program = `
    const { pluginsIn } = await import('${LOADER}');
    const said = await pluginsIn('${specifier}', { nameAfterMs: 50, limitMs: 5_000 }).then(([{ id }]) => id, (error) => error.message);
    console.log(said);
    process.exit();`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  return { said: stdout.trim(), stderr };
}

describe('a plugin module that takes long to load', () => {
  it('is named, and refused when it does not finish', async () => {
    const { said, stderr } = await slow('./hangs.js');
    expect(JSON.parse(stderr)).toMatchObject({ plugin: './hangs.js', msg: 'a plugin module is still loading' });
    expect(said).toBe('plugin module "./hangs.js" cannot be loaded: it did not finish loading within 5 seconds');
  });

  it('is named while it keeps the process busy, and taken when it is done', async () => {
    const { said, stderr } = await slow('./busy.js');
    expect(JSON.parse(stderr)).toMatchObject({ plugin: './busy.js' });
    expect(said).toBe('acme');
  });
});

describe('plugins from outside the repository', () => {
  it('are found by path, folder, file URL and package, and share the SDK of the service', async () => {
    const url = pathToFileURL(join(folder, 'acme')).href;
    const places = ['./acme/index.js', './acme', join(folder, 'acme'), url, './typed', 'acme-package'];
    expect(await found(...places)).toEqual([...places.map(() => 'acme'), 'true']);
  });

  it('are refused by name, with what is wrong', async () => {
    const refused = [
      ['./no-such.js', 'plugin module "./no-such.js" cannot be loaded: Cannot find module'],
      ['no-such-package', 'plugin module "no-such-package" cannot be loaded: Cannot find package'],
      ['file://elsewhere/x.js', 'plugin module "file://elsewhere/x.js" cannot be loaded: File URL host must be'],
      ['./throws.js', 'plugin module "./throws.js" cannot be loaded: no such luck'],
      ['./unknown-import.js', "does not provide an export named 'Tokken'"],
      ['./none.js', 'plugin module "./none.js" exports no plugin'],
      ['zod', 'plugin module "zod" exports no plugin'],
      [
        './bare.js',
        'plugin module "./bare.js", plugin "bare": stability is not experimental, stable or deprecated, summary is not a',
      ],
      ['./bare.js', 'settings is not a zod schema'],
      ['./schema.js', 'plugin "it": definition is not a zod schema that prints as JSON Schema'],
      ['./surroundings.js', 'surroundings is not a function'],
      ['./secret.js', 'definition holds a secret, which belongs to an integration'],
      ['./trial.js', 'trial has to have both body and read, or neither'],
      ['./old.js', 'plugin module "./old.js", plugin "old": written for SDK 0, this is SDK 1'],
    ] as const;
    const said = await found(...refused.map(([specifier]) => specifier));
    for (const [index, [, says]] of refused.entries()) expect(said[index]).toContain(says);
  });
});
