import { describe, expect, it } from 'vitest';
import { processorMs } from '../../test/setup/timing.ts';
import { runAtOnce } from '../kernel/slices.ts';
import { compileRules } from './compiled-rule.ts';
import { Masker } from './masker.ts';
import { MASKING_KINDS, NewMaskingRule } from './masking-rule.ts';

const preset = (kind: string) => ({ name: kind, kind });
const own = (pattern: string, at: number) => ({ name: `own ${at}`, kind: 'pattern', pattern });
const PATTERNS = ['a(.*b)?', '(a|aa)+$', '(a*)*b', '[a-z]{1,40}@', '\\d+\\d+x'];
const rules = [...MASKING_KINDS.filter((kind) => kind !== 'pattern').map(preset), ...PATTERNS.map(own)];
const masker = new Masker(compileRules(rules.map((rule) => NewMaskingRule.parse(rule))), () => 'key');

/** Texts of which each part looks like the beginning of something. */
const HOSTILE = {
  ...{
    letters: 'a',
    digits: '1',
    'at signs': '@',
    'addresses in a row': 'a@',
    dots: 'a.',
    colons: ':',
    'groups of digits': '1-',
    brackets: '[',
    backslashes: '\\',
  },
  ...{
    'names of names': 'name=',
    'open strings': 'name:"\\',
    'names of secrets': 'password=',
    'secrets in backslashes': 'password:\\"\\\\\\',
  },
  ...{
    'bank accounts': 'DE89',
    'groups of letters': 'AB12 ',
    'masked words': '[EMAIL',
    spaces: 'password ',
    'ends of words': '1a',
  },
};
const LENGTH = 20_000;
/** How much longer ten times the text may take: a square would be 100 times. */
const MOST = 30;
const RUNS = 3;

const mask = (text: string): string => runAtOnce(masker.text(text, new Map()));
/** The least of several runs: a collection of garbage, or code that is compiled, comes by chance and only ever adds. */
const cost = (unit: string, length: number): number => {
  const text = unit.repeat(Math.ceil(length / unit.length));
  return Math.min(...Array.from({ length: RUNS }, () => processorMs(() => void mask(text))));
};

describe('the cost of masking', () => {
  it.each(Object.entries(HOSTILE))('grows with the text and no faster, of %s', (_name, unit) => {
    cost(unit, LENGTH);
    const [small, large] = [cost(unit, LENGTH), cost(unit, LENGTH * 10)];
    expect(large).toBeLessThan(Math.max(small, 5) * MOST);
  });
});
