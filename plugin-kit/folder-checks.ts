import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type OtelDialectPlugin, z } from '../core/plugin-sdk/index.ts';
import { type Check, check, expectSame } from './check.ts';

const HEADINGS = ['Status', 'Settings', 'Errors', 'Example', 'Limits'];
const LANGUAGE_HEADINGS = ['Status', 'Programs', 'Errors', 'Example', 'Limits'];
const MAX_LINES = 150;

/** The README, where there is one, and the size of the files, which is a rule of this repository: others may bundle. */
export function folderChecks(folder: string, settings: z.ZodType): Check[] {
  const path = join(folder, 'README.md');
  const readme = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  return [...(readme === undefined ? [] : readmeChecks(readme, settings)), ...(isOurs(folder) ? [linesCheck(folder)] : [])];
}

/** The same for a dialect, which has no settings: its README says which fields it reads, and their places among all dialects. */
export function dialectFolderChecks(folder: string, plugin: OtelDialectPlugin): Check[] {
  const path = join(folder, 'README.md');
  const readme = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  return [...(readme === undefined ? [] : [dialectReadmeCheck(readme, plugin)]), linesCheck(folder)];
}

const dialectReadmeCheck = (readme: string, plugin: OtelDialectPlugin): Check =>
  check('has a README with the four headings and the ranks as they are', () => {
    assert.deepEqual(headingsIn(readme), ['Status', 'Spans', 'Fields', 'Limits']);
    const table = ranksTable(plugin);
    assert.ok(readme.includes(table), `the README is to hold this table:\n${table}`);
  });

/** Of each field that a dialect reads, the places of its sources. */
export function ranksTable({ sources }: OtelDialectPlugin): string {
  const rows = Object.entries(sources).map(([field, all]) => `| \`${field}\` | ${all.map(({ rank }) => rank).join(', ')} |`);
  return ['| Field | Ranks |', '|---|---|', ...rows].join('\n');
}

const headingsIn = (readme: string): string[] => [...readme.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? '');

/** As `folderChecks`, of what has programs in place of settings. */
export function languageFolderChecks(folder: string): Check[] {
  const path = join(folder, 'README.md');
  const headings = check('has a README with the five headings', () => {
    const found = [...readFileSync(path, 'utf8').matchAll(/^## (.+)$/gm)].map((match) => match[1]);
    assert.deepEqual(found, LANGUAGE_HEADINGS);
  });
  return [...(existsSync(path) ? [headings] : []), linesCheck(folder)];
}

function readmeChecks(readme: string, settings: z.ZodType): Check[] {
  return [
    check('has a README with the five headings and the settings as they are', () => {
      assert.deepEqual(headingsIn(readme), HEADINGS);
      const table = settingsTable(settings);
      assert.ok(readme.includes(table), `the README is to hold this table:\n${table}`);
    }),
    check('has an example in its README that the settings accept', () => {
      const example = /```json\n([^`]+)```/.exec(readme)?.[1] ?? '';
      assert.deepEqual(settings.safeParse(JSON.parse(example)).error?.issues ?? [], []);
    }),
  ];
}

const isOurs = (folder: string): boolean => folder.startsWith(join(import.meta.dirname, '../plugins/'));

function linesCheck(folder: string): Check {
  const lines = toLines(folder);
  return check(`has no file over ${MAX_LINES} lines (${lines.map((one) => one.join(' ')).join(', ')})`, () => {
    expectSame(
      lines.filter(([, count]) => count > MAX_LINES),
      [],
    );
  });
}

/** Of each source file of a plugin, without its tests. */
export function toLines(folder: string): [name: string, count: number][] {
  const sources = globSync(join(folder, '*.{ts,js}')).filter((path) => !/(\.test|\/kit)\.[jt]s$/.test(path));
  return sources.map((path) => [basename(path), readFileSync(path, 'utf8').trimEnd().split('\n').length]);
}

interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** The settings of a plugin as the table of its README. */
function settingsTable(settings: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(settings, { io: 'input' }) as Node;
  const rows = Object.entries(properties).map(([name, field]) => {
    const needed = required.includes(name)
      ? 'required'
      : field.default === undefined
        ? ''
        : `\`${JSON.stringify(field.default)}\``;
    return `| \`${name}\` | ${getType(field)}${secretIn(field) ? ', secret' : ''} | ${needed} | ${field.description ?? ''} |`;
  });
  return ['| Field | Type | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function getType(node: Node): string {
  const variants = (node.anyOf ?? node.oneOf) as Node[] | undefined;
  if (variants) return [...new Set(variants.map(getType))].join(' or ');
  if (node.enum) return (node.enum as unknown[]).map((value) => `\`${value}\``).join(', ');
  if (node.type === 'array') return `list of ${getType(node.items as Node)}`;
  if (node.type === 'object' && !node.properties) return `map of ${getType(node.additionalProperties as Node)}`;
  return node.type === 'integer' ? 'whole number' : (node.type ?? 'any');
}

function secretIn(node: Node): boolean {
  return JSON.stringify(node).includes('"writeOnly":true');
}
