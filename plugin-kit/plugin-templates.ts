import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginKind } from '../core/kernel/plugin-kinds.ts';
import { SDK_VERSION } from '../core/plugin-sdk/index.ts';

/** Placeholder of a plugin's id in the templates, and which kit tries it, in which file. */
export const KINDS = {
  code_language: {
    ...{ sample: 'sample_language', folder: 'code-languages', kit: 'codeLanguageKit' },
    file: 'code-language/code-language',
  },
  identity_provider: {
    ...{ sample: 'sample_identity', folder: 'identity-providers', kit: 'identityProviderKit' },
    file: 'identity-provider/identity-provider',
  },
  model_provider: {
    sample: 'sample_provider',
    folder: 'model-providers',
    kit: 'modelProviderKit',
    file: 'model-provider/model-provider',
  },
  notification_channel: {
    sample: 'sample_channel',
    folder: 'notification-channels',
    kit: 'notificationChannelKit',
    file: 'channels/notification-channel',
  },
  otel_dialect: { sample: 'sample_dialect', folder: 'otel-dialects', kit: 'otelDialectKit', file: 'dialects/otel-dialect' },
  scorer_kind: { sample: 'sample_kind', folder: 'scorer-kinds', kit: 'scorerKindKit', file: 'scorer-kind/scorer-kind' },
} as const satisfies Record<PluginKind, { readonly [Fact in 'sample' | 'folder' | 'kit' | 'file']: string }>;
export type Kind = PluginKind;

/** Of a plugin in the repository, with its test. */
export function filesInside(kind: Kind, id: string): [name: string, text: string][] {
  const { kit, file } = KINDS[kind];
  const test = `import { ${kit} } from '../../../plugin-kit/${file}.kit.ts';\nimport { ${camel(id)}Kit } from './kit.ts';\n\n${kit}(${camel(id)}Kit);\n`;
  return [...templates(kind, id), [`${dashed(id)}.test.ts`, test]];
}

const toHead = (id: string, entry: string) => ({
  name: `touchstone-plugin-${dashed(id)}`,
  version: '0.1.0',
  type: 'module',
  exports: entry,
  touchstone: { sdk: SDK_VERSION },
});

const COMPILER_OPTIONS = {
  target: 'es2024',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  declaration: true,
  rootDir: 'src',
  outDir: 'dist',
};

/** Of a package in TypeScript, which its own compiler builds against the package that `npm run sdk:pack` makes. */
export function filesInTypeScript(kind: Kind, id: string): [name: string, text: string][] {
  const sources = templates(kind, id).map(([name, text]): [string, string] =>
    name.endsWith('.ts') ? [`src/${name}`, compiledApart(text)] : [name, text],
  );
  const scripts = { build: 'tsc', check: 'tsc && touchstone-plugin-check .' };
  const head = { ...toHead(id, './dist/index.js'), files: ['dist', 'replies'], scripts };
  return [
    ...sources,
    ['package.json', json(head)],
    ['tsconfig.json', json({ compilerOptions: COMPILER_OPTIONS, include: ['src'] })],
  ];
}

/** The compiled files lie in `dist`, beside what the kit reads. */
const compiledApart = (text: string): string =>
  text
    .replace("'../../../core/plugin-sdk/index.ts'", "'touchstone/plugin-sdk'")
    .replaceAll(/'\.\/(index|prepare)\.ts'/g, "'./$1.js'")
    .replace('folder: import.meta.dirname', "folder: import.meta.dirname + '/..'");

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Of a package of plain JavaScript. */
export function filesOutside(kind: Kind, id: string): [name: string, text: string][] {
  const outside = templates(kind, id).map(([name, text]): [string, string] => [
    name.replace(/\.ts$/, '.js'),
    plainJavaScript(text),
  ]);
  return [...outside, ['package.json', json(toHead(id, './index.js'))]];
}

/** The templates lie as deep as plugins do, and are written so that little in them is not JavaScript already. */
const plainJavaScript = (text: string): string =>
  text
    .replace("'../../../core/plugin-sdk/index.ts'", "'touchstone/plugin-sdk'")
    .replaceAll(/'\.\/(index|prepare)\.ts'/g, "'./$1.js'")
    .replace(/^import type .*\n\n?/gm, '')
    .replaceAll(/: string(?=[,)])/g, '')
    .replaceAll(/: \{ readonly [^}]*\}(?=\))/g, '')
    .replace(/^(export const \w+): \w+ =/gm, '$1 =')
    .replace('} as const;', '};');

function templates(kind: Kind, id: string): [name: string, text: string][] {
  const from = join(import.meta.dirname, 'templates', kind);
  const { sample } = KINDS[kind];
  const names = globSync('**/*.*', { cwd: from }).sort();
  return names.map((name) => [
    name,
    readFileSync(join(from, name), 'utf8')
      .replaceAll(sample, id)
      .replaceAll(camel(sample), camel(id))
      .replaceAll(dashed(sample), dashed(id))
      .replaceAll(words(sample), words(id)),
  ]);
}

export const camel = (id: string): string => id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const dashed = (id: string): string => id.replaceAll('_', '-');
const words = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ');
