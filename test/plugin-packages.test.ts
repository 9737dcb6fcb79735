import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packSdk, readSdkSurface } from '../plugin-kit/sdk-package.ts';

const ROOT = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'touchstone packages-'));
/** The repository of an author, with what `npm install` of the SDK's tarball would put there. */
const author = join(folder, 'author');
const LOADER = pathToFileURL(join(ROOT, 'config/plugin-modules.ts')).href;
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
afterAll(() => rmSync(folder, { recursive: true }));

const file = (path: string, text: string | object) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof text === 'string' ? text : JSON.stringify(text));
};
interface Ended {
  readonly code: number | string;
  readonly out: string;
}
const run = async (command: string, args: readonly string[], cwd: string, own: object = {}): Promise<Ended> => {
  const { NODE_OPTIONS: _, VITEST: __, FORCE_COLOR: ___, ...inherited } = process.env;
  const env = { ...inherited, ...own, NO_COLOR: '1' };
  const done = await promisify(execFile)(command, args, { cwd, env: { ...env, INIT_CWD: cwd } }).catch((error: unknown) => error);
  const { code = 0, stdout, stderr } = done as { code?: number | string; stdout: string; stderr: string };
  return { code, out: stdout + stderr };
};
const node = (args: readonly string[], cwd: string) => run(process.execPath, args, cwd);

/** Plugin that a service started in a folder finds in a module, or why it finds none. */
async function found(specifier: string, cwd: string): Promise<string> {
  const program = `const { pluginsIn } = await import('${LOADER}');
    console.log(await pluginsIn(${JSON.stringify(specifier)}).then(([{ id }]) => id, (error) => error.message));`;
  return (await node(['--input-type=module', '--eval', program], cwd)).out.trim();
}

const COMPILER = {
  target: 'es2024',
  strict: true,
  declaration: true,
  types: ['node'],
  skipLibCheck: false,
  outDir: 'dist',
  rootDir: 'src',
};
const TESTS = (runner: string) => `import { describe, it } from '${runner}';
import { modelProviderChecks, testPlugin } from 'touchstone/plugin-kit';
import { myModelsKit } from './dist/kit.js';

testPlugin(modelProviderChecks(myModelsKit), { describe, it });
`;

let tarball: string;
beforeAll(async () => {
  tarball = await packSdk(join(folder, 'sdk'));
  mkdirSync(join(author, 'node_modules/touchstone'), { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', 'node_modules/touchstone'], author);
  mkdirSync(join(author, 'node_modules/@types'));
  for (const name of ['zod', 'vitest', '@types/node', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(author, 'node_modules', name));
  await node([join(ROOT, 'plugin-kit/new-plugin.ts'), 'model_provider', 'my_models', '--out', 'made'], folder);
  const source = (name: string) => readFileSync(join(folder, 'made', name), 'utf8');
  file('author/src/index.ts', source('index.js'));
  file(
    'author/src/kit.ts',
    source('kit.js')
      .replace('import.meta.dirname', "import.meta.dirname + '/..'")
      .replace(/};\s*$/, '} as const;\n'),
  );
  cpSync(join(folder, 'made/replies'), join(author, 'replies'), { recursive: true });
  const head = {
    name: 'touchstone-plugin-my-models',
    version: '1.0.0',
    type: 'module',
    exports: './dist/index.js',
    touchstone: { sdk: 1 },
  };
  file('author/package.json', { ...head, files: ['dist', 'replies'] });
  file('author/tsconfig.json', { compilerOptions: { ...COMPILER, module: 'nodenext' }, include: ['src'] });
  file('author/tsconfig.bundler.json', {
    compilerOptions: { ...COMPILER, module: 'esnext', moduleResolution: 'bundler', noEmit: true },
    include: ['src'],
  });
  file('author/with-vitest.test.js', TESTS('vitest'));
  file('author/with-node.js', TESTS('node:test'));
  file('author/vitest.config.js', "export default { test: { include: ['*.test.js'] } };");
});

describe('the package that authors of plugins install', () => {
  it('is named and numbered like the release it belongs to, and needs zod and types alone', () => {
    const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const { name, version, dependencies } = JSON.parse(
      readFileSync(join(author, 'node_modules/touchstone/package.json'), 'utf8'),
    );
    expect({ name, version, dependencies: Object.keys(dependencies) }).toEqual({
      name: own.name,
      version: own.version,
      dependencies: ['@types/node', 'zod'],
    });
    expect(tarball).toMatch(new RegExp(`/${own.name}-${own.version}\\.tgz$`));
  });

  it.each(['tsconfig.bundler.json', 'tsconfig.json'])('has types that a strict compiler accepts, with %s', async (config) => {
    expect(await node([TSC, '-p', config], author)).toEqual({ code: 0, out: '' });
  });

  it('has types that refuse what does not fit', async () => {
    file(
      'author/wrong/index.ts',
      readFileSync(join(author, 'src/index.ts'), 'utf8').replace("finish_reason : 'stop'", "finish_reason : 'cut'"),
    );
    file('author/wrong/tsconfig.json', {
      extends: '../tsconfig.json',
      compilerOptions: { noEmit: true, rootDir: '.' },
      include: ['.'],
    });
    expect((await node([TSC, '-p', 'wrong'], author)).out).toMatch(/"cut".*is not assignable/);
  });

  it('tries a compiled plugin by its own command', async () => {
    file('author/kit.js', "export * from './dist/kit.js';");
    const { code, out } = await node(['node_modules/touchstone/plugin-kit/check-plugin.js', '.'], author);
    expect(out).toMatch(/^model provider my_models\n(.|\n)*checks, all hold\n$/);
    expect(code).toBe(0);
  });

  it.each([
    ['vitest', ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose'], /Tests {2}\d+ passed/],
    ['node --test', ['--test', '--test-reporter=tap', 'with-node.js'], /^# fail 0$/m],
  ])('has a kit that runs under %s', async (_runner, args, passed) => {
    const { code, out } = await node(args, author);
    expect(out).toMatch(passed);
    expect(code).toBe(0);
    expect(out).toContain('keeps two integrations apart');
  });

  it('turns the tests of a plugin with a mistake red', async () => {
    const compiled = join(author, 'dist/index.js');
    const whole = readFileSync(compiled, 'utf8');
    writeFileSync(compiled, whole.replace(/max_tokens, temperature, top_p/, 'max_tokens, top_p'));
    expect(readFileSync(compiled, 'utf8')).not.toBe(whole);
    const { code, out } = await node(['--test', '--test-reporter=tap', 'with-node.js'], author);
    writeFileSync(compiled, whole);
    expect(out).toMatch(/not ok \d+ - sends every parameter it is given/);
    expect(code).toBe(1);
  });
});

describe('a plugin that plugin:new makes in TypeScript', () => {
  it.each(['model_provider', 'scorer_kind', 'notification_channel', 'otel_dialect'])(
    'passes its own compiler and the check of plugins: %s',
    async (kind) => {
      const made = join(folder, `typed-${kind}`);
      const { out: said } = await node(
        [join(ROOT, 'plugin-kit/new-plugin.ts'), kind, 'my_typed', '--typescript', '--out', made],
        folder,
      );
      expect(said).toContain(`npm run sdk:pack ${made}`);
      symlinkSync(join(author, 'node_modules'), join(made, 'node_modules'));
      expect(await node([TSC], made)).toEqual({ code: 0, out: '' });
      for (const check of ['node_modules/touchstone/plugin-kit/check-plugin.js', join(ROOT, 'plugin-kit/check-plugin.ts')]) {
        const { code, out } = await node([check, '.'], made);
        expect(out).toMatch(/my_typed\n(.|\n)*checks, all hold\n$/);
        expect(code).toBe(0);
      }
    },
  );

  it('is for packages elsewhere', async () => {
    const { code, out } = await node([join(ROOT, 'plugin-kit/new-plugin.ts'), 'scorer_kind', 'my_typed', '--typescript'], folder);
    expect(out).toContain('--typescript is for packages elsewhere');
    expect(code).toBe(1);
  });
});

describe('a plugin as a package', () => {
  const installed = join(folder, 'installed');

  it('is packed, installed and named in PLUGINS', async () => {
    await run('npm', ['pack', '--pack-destination', folder], author);
    file('installed/package.json', { private: true });
    const args = ['install', '--offline', '--no-audit', '--no-fund', '../touchstone-plugin-my-models-1.0.0.tgz'];
    expect(await run('npm', args, installed)).toMatchObject({ code: 0 });
    expect(await found('touchstone-plugin-my-models', installed)).toBe('my_models');
    expect(await found(join(installed, 'node_modules/touchstone-plugin-my-models'), ROOT)).toBe('my_models');
  });

  it('is found by "main" too, and by a folder without a package', async () => {
    file('with-main/package.json', { type: 'module', main: 'lib/it.js' });
    file('with-main/lib/it.js', readFileSync(join(author, 'dist/index.js'), 'utf8'));
    expect(await found('./with-main', folder)).toBe('my_models');
    expect(await found('./made', folder)).toBe('my_models');
  });

  it('is refused before it is loaded when it is for another version of the SDK', async () => {
    file('newer/package.json', { name: 'newer', type: 'module', exports: './index.js', touchstone: { sdk: 2 } });
    file('newer/index.js', "import { fromTheFuture } from 'touchstone/plugin-sdk';");
    expect(await found('./newer', folder)).toBe(
      'plugin module "./newer" cannot be loaded: its package.json says that it was written for SDK 2, this is SDK 1: it needs a newer release of the service',
    );
  });

  it.each([
    ['exports by name', "const { defineScorerKind } = require('touchstone/plugin-sdk');\nexports.it = defineScorerKind({});"],
    ['exports one value', "module.exports = { kind: 'scorer_kind' };"],
  ])('is refused by a clear word when it is CommonJS that %s', async (_what, text) => {
    file('common/package.json', { name: 'common' });
    file('common/index.js', text);
    expect(await found('./common', folder)).toContain(
      'it is a CommonJS module, and plugins are ES modules: write "type": "module" into ',
    );
  });

  it('is taken as an ES module though its package.json does not say so', async () => {
    file('unsaid/package.json', { name: 'unsaid' });
    file('unsaid/index.js', readFileSync(join(author, 'dist/index.js'), 'utf8'));
    expect(await found('./unsaid', folder)).toContain('my_models');
  });
});

describe('the image', () => {
  it('holds what plugin:check needs, and no package for development', async () => {
    const image = join(folder, 'image');
    mkdirSync(join(image, 'node_modules'), { recursive: true });
    const copied =
      readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
        .split(/^FROM /m)
        .at(-1) ?? '';
    for (const [, names = ''] of copied.matchAll(/^COPY (?!--from)(.+) \.\/\S*$/gm))
      for (const name of names.split(' ')) cpSync(join(ROOT, name), join(image, name), { recursive: true });
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean; optional?: boolean }>;
    };
    for (const [path, { dev, optional }] of Object.entries(packages)) {
      if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || dev || optional) continue;
      mkdirSync(dirname(join(image, path)), { recursive: true });
      symlinkSync(join(ROOT, path), join(image, path));
    }
    // A copy that is gone afterwards: what is compiled of it is of no use to anybody.
    const uncached = { NODE_COMPILE_CACHE: '' };
    const check = [join(image, 'plugin-kit/check-plugin.ts'), join(folder, 'made')];
    const { out, code } = await run(process.execPath, check, folder, uncached);
    expect(out).toMatch(/checks, all hold\n$/);
    expect(code).toBe(0);
  });
});

describe('the surface of the plugin SDK', () => {
  it('is what has been written down: `npm run sdk:surface` writes it anew, for review', async () => {
    expect(await readSdkSurface()).toBe(readFileSync(join(ROOT, 'test/golden/plugin-sdk.txt'), 'utf8'));
  });
});
