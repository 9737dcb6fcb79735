import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { camel, filesInside, filesInTypeScript, filesOutside, KINDS, type Kind } from './plugin-templates.ts';

const ROOT = resolve(import.meta.dirname, '..');
const ID = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const USED = [
  ...['await', 'defineCodeLanguage', 'defineIdentityProvider', 'defineModelProvider', 'defineNotificationChannel'],
  ...['defineOtelDialect', 'defineScorerKind'],
  ...['httpClient', 'readJson', 'sandboxedLanguage', 'z'],
  ...['RANK', 'TYPES', 'FIRST', 'countAt', 'lookUp', 'messagesAt', 'source', 'textAt'],
];
const USAGE = `usage: npm run plugin:new <${Object.keys(KINDS).join('|')}> <id> [-- --out DIR [--typescript]]`;

interface Asked {
  readonly kind: Kind;
  readonly id: string;
  /** Undefined: a plugin of the repository. */
  readonly out: string | undefined;
  /** Whether a package outside of the repository is to be in TypeScript. */
  readonly typescript: boolean;
}

function asked(args: string[]): Asked {
  const options = { out: { type: 'string' }, typescript: { type: 'boolean' } } as const;
  const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
  // npm takes options for itself when there is no "--" before them: of "--out" it leaves the folder, "--typescript" it hands on.
  const typescript = values.typescript ?? process.env.npm_config_typescript === 'true';
  const [kind = '', id, out = values.out, ...rest] = positionals;
  if (!isKind(kind) || id === undefined || rest.length > 0) throw new Error(USAGE);
  if (!ID.test(id)) throw new Error(`"${id}" is no id of a plugin: it has to be lower_snake_case`);
  if (!isFree(camel(id))) throw new Error(`"${id}" is no id of a plugin: its export cannot be named ${camel(id)}`);
  if (typescript && out === undefined)
    throw new Error('--typescript is for packages elsewhere, made by --out: here plugins are in it anyway');
  return { kind, id, out, typescript };
}

/** Whether a module that imports the SDK may export something of this name. */
function isFree(name: string): boolean {
  try {
    new Function(`'use strict'; const ${name} = 0;`);
    return !USED.includes(name);
  } catch {
    return false;
  }
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(KINDS, text);
}

function make({ kind, id, out, typescript }: Asked): string {
  const inside = join(ROOT, 'plugins', KINDS[kind].folder, id);
  const target = resolve(out ?? inside);
  for (const taken of [inside, target]) if (existsSync(taken)) throw new Error(`${taken} is there already`);
  const toFiles = out === undefined ? filesInside : typescript ? filesInTypeScript : filesOutside;
  const files = toFiles(kind, id);
  for (const [name, text] of files) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    writeFileSync(join(target, name), text);
  }
  if (out === undefined) return saidInside(kind, id, relative(ROOT, target));
  return typescript ? saidInTypeScript(target) : saidOutside(target);
}

const saidInside = (kind: Kind, id: string, folder: string): string =>
  `made ${folder}\n  try it:     npx vitest run --project unit ${folder}\n  install it: in config/plugins.ts\n` +
  `    import { ${camel(id)} } from '../test/plugins/${KINDS[kind].folder}/${id}/index.ts';\n`;

const saidOutside = (folder: string): string =>
  `made ${folder}\n  try it:     npm run plugin:check ${folder}\n  install it: PLUGINS=${folder} npm start\n`;

const saidInTypeScript = (folder: string): string =>
  `made ${folder}\n  compile it: npm run sdk:pack ${folder}\n              cd ${folder} && npm install --save-dev typescript ./touchstone-*.tgz && npx tsc\n` +
  `  try it:     npm run plugin:check ${folder}\n  install it: PLUGINS=${folder} npm start\n`;

/** Makes a plugin that passes the kit: in TypeScript in the repository, elsewhere as a package of plain JavaScript or, by `--typescript`, of TypeScript. */
try {
  process.chdir(process.env.INIT_CWD ?? '.');
  process.stdout.write(make(asked(process.argv.slice(2))));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
