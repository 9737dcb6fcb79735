import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { camel, filesInside, filesOutside, KINDS, type Kind } from './plugin-templates.ts';

const ROOT = resolve(import.meta.dirname, '..');
const ID = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const USED = ['await', 'defineModelProvider', 'defineNotificationChannel', 'defineScorerKind', 'httpClient', 'readJson', 'z'];
const USAGE = `usage: npm run plugin:new <${Object.keys(KINDS).join('|')}> <id> [-- --out DIR]`;

interface Asked {
  readonly kind: Kind;
  readonly id: string;
  /** Undefined: a plugin of the repository. */
  readonly out: string | undefined;
}

function asked(args: string[]): Asked {
  const { positionals, values } = parseArgs({ args, options: { out: { type: 'string' } }, allowPositionals: true });
  // npm takes "--out" for itself when there is no "--" before it, and leaves the folder.
  const [kind = '', id, out = values.out, ...rest] = positionals;
  if (!isKind(kind) || id === undefined || rest.length > 0) throw new Error(USAGE);
  if (!ID.test(id)) throw new Error(`"${id}" is no id of a plugin: it has to be lower_snake_case`);
  if (!isFree(camel(id))) throw new Error(`"${id}" is no id of a plugin: its export cannot be named ${camel(id)}`);
  return { kind, id, out };
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

function make({ kind, id, out }: Asked): string {
  const inside = join(ROOT, 'plugins', KINDS[kind].folder, id);
  const target = resolve(out ?? inside);
  for (const taken of [inside, target]) if (existsSync(taken)) throw new Error(`${taken} is there already`);
  const files = out === undefined ? filesInside(kind, id) : filesOutside(kind, id);
  for (const [name, text] of files) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    writeFileSync(join(target, name), text);
  }
  return out === undefined ? saidInside(kind, id, relative(ROOT, target)) : saidOutside(target);
}

const saidInside = (kind: Kind, id: string, folder: string): string =>
  `made ${folder}\n  try it:     npx vitest run --project unit ${folder}\n  install it: in config/plugins.ts\n` +
  `    import { ${camel(id)} } from '../test/plugins/${KINDS[kind].folder}/${id}/index.ts';\n`;

const saidOutside = (folder: string): string =>
  `made ${folder}\n  try it:     npm run plugin:check ${folder}\n  install it: PLUGINS=${folder} npm start\n`;

/** Makes a plugin that passes the kit: in TypeScript in the repository, as a package of plain JavaScript elsewhere. */
try {
  process.chdir(process.env.INIT_CWD ?? '.');
  process.stdout.write(make(asked(process.argv.slice(2))));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
