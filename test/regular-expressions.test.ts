import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Expressions that no text of a client comes by, and those that run within limits of their own. */
const NEVER_HOSTILE: Readonly<Record<string, string>> = {
  '/^\\s*(?<name>[^<>]*?)\\s*<(?<address>[^<>]+)>\\s*$/': 'the sender in the settings of the operator',
  '/=+$/': 'base64 that this process has made',
  '/\\/+$/': 'an address in the settings of the operator',
  '/^[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?$/i': 'no more than 400 characters are looked at',
  '/^0+|0+$/g': 'no more than 400 characters are looked at',
  '/[.!?…]+(?=\\s|$)|[。！？｡]+|\\n\\s*\\n/u': 'a program of a scorer, which has a time limit',
};

/** Characters of which hostile texts are made: what expressions tell apart. */
const SIGNS = ['\n', ' ', '0', 'a', 'A', '"', "'", '\\', '{', '[', '.', ':', '-', '=', '/', '%', '<', '`', '@', '_', '!'];
const LENGTH = 30_000;
/** Of one search. A search that goes with the square of the length takes some 500 ms. */
const LIMIT_MS = 150;

interface Found {
  readonly place: string;
  readonly expression: RegExp;
}

/** Every literal that stands in the code, once. Found by their looks: what is none does not compile, or does no harm. */
function literals(): Found[] {
  const files = execFileSync('git', ['ls-files', 'core', 'adapters', 'plugins', 'config', 'cli', 'console', 'plugin-kit'], {
    encoding: 'utf8',
  }).split('\n');
  const found = new Map<string, Found>();
  for (const file of files.filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\/kit\.ts$/.test(name))) {
    for (const [at, line] of readFileSync(file, 'utf8').split('\n').entries()) {
      if (/^\s*(\*|\/\/|\/\*)/.test(line)) continue;
      for (const [, body, flags] of line.matchAll(
        /(?<=^|[(,=:[!&|?{};+\s])\/((?:[^/\\[\s*]|\\.|\[(?:[^\]\\]|\\.)*\])(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])*)\/([dgimsuvy]*)(?=[\s.,;)\]:}]|$)/g,
      )) {
        const expression = compiled(body!, flags!);
        if (expression) found.set(String(expression), { place: `${file}:${at + 1}`, expression });
      }
    }
  }
  return [...found.values()];
}

function compiled(body: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(body, flags);
  } catch {
    return undefined;
  }
}

/** The same few signs over and over, with an end that nothing fits, after a beginning that may open something. */
function* hostileTexts(): Generator<string> {
  const pumps = SIGNS.flatMap((one) => SIGNS.map((other) => (one === other ? one : one + other)));
  for (const pump of pumps) {
    const middle = pump.repeat(LENGTH / pump.length);
    yield `${middle}\0`;
    yield `${middle}\n\0`;
  }
}

/** How the slowest search of all took, and in what text; ends early once one took too long. */
function slowest(expression: RegExp, texts: readonly string[]): { ms: number; text: string } {
  let worst = { ms: 0, text: '' };
  for (const text of texts) {
    expression.lastIndex = 0;
    const before = process.cpuUsage();
    // A global expression stops at its first match: what comes after it is another search.
    text.replace(expression, '');
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms > worst.ms) worst = { ms, text: JSON.stringify(text.slice(0, 10)) };
    if (ms > LIMIT_MS) break;
  }
  return worst;
}

describe('regular expressions', { timeout: 300_000 }, () => {
  const texts = [...hostileTexts()];
  const all = literals();

  it('take no longer than the text is long, whatever it says', () => {
    const hostile = all.filter(({ expression }) => !(String(expression) in NEVER_HOSTILE));
    expect(hostile.length).toBeGreaterThan(100);
    const slow = hostile.map(({ place, expression }) => ({ place, expression, ...slowest(expression, texts) }));
    expect(slow.filter(({ ms }) => ms > LIMIT_MS)).toEqual([]);
  });

  it.each(Object.keys(NEVER_HOSTILE))('are excused by name only where they stand in the code: %s', (name) => {
    expect(all.map(({ expression }) => String(expression))).toContain(name);
  });

  it.each([/^\s*x/m, /0+$/, /^(.*?)\.(\d{1,4})\.(.+)$/, /"(?:[^"\\]|\\.)*"/g])('would be found slow: %s', (expression) => {
    expect(slowest(expression, texts).ms).toBeGreaterThan(LIMIT_MS);
  });
});
