import { globSync, readFileSync } from 'node:fs';

/** A call of the API in the console's source: a method, and its path with `{}` for what is put in when it runs. */
export interface ApiCall {
  readonly method: string;
  /** Begins with `**` where the beginning is known to callers alone. */
  readonly path: string;
  /** File and place of the call: a call may come to several paths. */
  readonly where: string;
}

const METHODS: Readonly<Record<string, string>> = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', remove: 'DELETE' };
const CALL = /\b(get|post|put|patch|remove|send|call)(?:<(?:[^()<>]|<(?:[^<>]|<[^<>]*>)*>)*>)?\(\s*/g;
const MAX_DEPTH = 6;
const MAX_VALUES = 40;

interface Source {
  readonly where: string;
  readonly text: string;
}

/** Finds the calls in the source of the console, names resolved where they are constants or properties of components. */
export function listApiCalls(): ApiCall[] {
  const sources = globSync('console/**/*.{ts,tsx}', { exclude: ['console/dist/**'] })
    .filter((where) => !where.includes('.test.'))
    .map((where) => ({ where, text: readFileSync(where, 'utf8') }));
  return sources.flatMap((source) => callsIn(source, sources));
}

function callsIn(source: Source, sources: readonly Source[]): ApiCall[] {
  const { where, text } = source;
  const found: ApiCall[] = [...text.matchAll(CALL)].flatMap((match) => {
    const [first, rest] = readArgument(text, match.index + match[0].length);
    const isNamed = match[1] === 'send' || match[1] === 'call';
    const method = isNamed ? first.replaceAll(/['"]/g, '') : METHODS[match[1]!]!;
    const path = isNamed ? readArgument(text, rest)[0] : first;
    if (!/^[A-Z]+$/.test(method) || path === '') return [];
    return resolve(path, source, sources, 0).map((one) => ({
      ...{ method, path: toPath(one), where: `${where}:${match.index}` },
    }));
  });
  // Before anybody is signed in the client is gone around.
  const plain = [...text.matchAll(/['"]v2(\/[\w/-]+)['"]/g)].map(([, path]) => ({ method: 'POST', path: path!, where }));
  return [...found, ...plain].filter(({ path }) => /[\w-]/.test(path));
}

/** The text of an argument, up to the comma or bracket that ends it, and where the next one begins. */
function readArgument(text: string, from: number): readonly [string, number] {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at]!;
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
      else if (quote === '`' && sign === '$' && text[at + 1] === '{') at = skipBraces(text, at + 1);
    } else if ('\'"`'.includes(sign)) quote = sign;
    else if ('([{'.includes(sign)) depth += 1;
    else if (depth === 0 && ',)'.includes(sign)) return [text.slice(from, at).trim(), at + 1];
    else if (')]}'.includes(sign)) depth -= 1;
  }
  return ['', text.length];
}

/** The place of the brace that ends the one at `from`. */
function skipBraces(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return text.length;
}

const UNKNOWN = '\u0000';

/** Texts that an expression may come to; `UNKNOWN` for what only runs tell. */
function resolve(expression: string, source: Source, sources: readonly Source[], depth: number): string[] {
  const given = expression.trim();
  const again = (one: string, at = source): string[] => resolve(one, at, sources, depth + 1);
  if (depth > MAX_DEPTH) return [UNKNOWN];
  if (/^'[^']*'$|^"[^"]*"$/.test(given)) return [given.slice(1, -1)];
  const choice = /^[^?`'"]*(?:\([^?]*\)|'[^']*')?[^?`]*\?\s*((?:`[^`]*`|'[^']*'|\w+))\s*:\s*((?:`[^`]*`|'[^']*'|\w+))$/s.exec(
    given,
  );
  if (choice && !given.startsWith('`')) return [...again(choice[1]!), ...again(choice[2]!)];
  if (given.startsWith('`')) return fill(given, again);
  const called = /^(\w+)\(/.exec(given)?.[1];
  if (called) return resolveFunction(called, sources, depth);
  return /^\w+$/.test(given) ? resolveName(given, source, sources, depth) : [UNKNOWN];
}

/** A template with what stands in its gaps. */
function fill(template: string, again: (expression: string) => string[]): string[] {
  let texts = [''];
  let at = 1;
  while (at < template.length - 1) {
    const gap = template.indexOf('${', at);
    const end = gap < 0 ? template.length - 1 : gap;
    texts = texts.map((text) => text + template.slice(at, end));
    if (gap < 0) break;
    const close = skipBraces(template, gap + 1);
    const values = again(template.slice(gap + 2, close));
    texts = texts.flatMap((text) => values.map((value) => text + value)).slice(0, MAX_VALUES);
    at = close + 1;
  }
  return [...new Set(texts)];
}

/** Constants of the file, and what its components are given under the name. */
function resolveName(name: string, source: Source, sources: readonly Source[], depth: number): string[] {
  const constants = [
    ...source.text.matchAll(
      new RegExp(`const ${name}(?::[^=]+)? = (\`[^;]*?\`|[^;\\n]+(?:\\n\\s+[?:][^;]*)?)(?: as const)?;`, 'g'),
    ),
  ].map(([, value]) => value!);
  const own = constants.flatMap((value) => resolve(value, source, sources, depth + 1));
  const components = [...source.text.matchAll(/(?:function|const) ([A-Z]\w+)/g)].map(([, one]) => one!);
  const values = [...own, ...components.flatMap((component) => attributesOf(component, name, source, sources, depth))];
  return values.length > 0 ? [...new Set(values)] : [UNKNOWN];
}

/** Values that a component is given as a property, wherever it is drawn. */
function attributesOf(component: string, name: string, of: Source, sources: readonly Source[], depth: number): string[] {
  const drawn = new RegExp(`<${component}\\b(?:<[^>]*>)?((?:=>|[^>])*?)\\s${name}=("[^"]*"|\\{(?:[^{}]|\\{[^{}]*\\})*\\})`, 'g');
  const file = of.where.split('/').at(-1)!;
  const knows = (source: Source): boolean => source === of || source.text.includes(`/${file}'`);
  return sources
    .filter(knows)
    .flatMap((source) =>
      [...source.text.matchAll(drawn)].flatMap(([, , value]) =>
        resolve(value!.startsWith('{') ? value!.slice(1, -1) : value!, source, sources, depth + 1),
      ),
    );
}

/** A function that is one template. */
function resolveFunction(name: string, sources: readonly Source[], depth: number): string[] {
  for (const source of sources) {
    const body = new RegExp(`const ${name} = \\([^;]*?=>\\s*(\`[^\`]*\`);`).exec(source.text)?.[1];
    if (body) return resolve(body, source, sources, depth + 1);
  }
  return [UNKNOWN];
}

/** As it is compared: `{}` for a whole segment that is put in, `*` for a part of one, `**` for a beginning that is not known. */
function toPath(text: string): string {
  const [first = '', ...segments] = text.split('?')[0]!.split('/');
  const shown = segments.map((segment) => (segment === UNKNOWN ? '{}' : segment.replaceAll(UNKNOWN, '*')));
  return `${first === '' ? '' : '**'}/${shown.join('/')}`;
}
