import { describe, expect, it } from 'vitest';
import { JSON_BUDGET, withinJsonBudget } from './json-budget.ts';
import { parseJsonText } from './json-text.ts';

const list = (count: number): string => JSON.stringify(Array.from({ length: count }, () => 0));
const object = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 0])));

describe('JSON in the texts of a span', () => {
  it('is parsed up to as many values and names as there may be', () => {
    expect(parseJsonText(list(JSON_BUDGET.values - 1))).toHaveLength(JSON_BUDGET.values - 1);
    expect(Object.keys(parseJsonText(object(JSON_BUDGET.names)) ?? {})).toHaveLength(JSON_BUDGET.names);
  });

  it('stays a text when it has more values or names, or deeper ones', () => {
    expect(parseJsonText(list(JSON_BUDGET.values))).toBeUndefined();
    expect(parseJsonText(object(JSON_BUDGET.names + 1))).toBeUndefined();
    expect(parseJsonText(`${'['.repeat(33)}${']'.repeat(33)}`)).toBeUndefined();
  });

  it('is not counted by what its strings hold', () => {
    const text = `${':,[{'.repeat(JSON_BUDGET.names)}"\\`;
    expect(parseJsonText(JSON.stringify([text, { [text.slice(-9)]: text }]))).toEqual([text, { [text.slice(-9)]: text }]);
  });

  it('has the limits together with the other texts of its span, which are none the worse for one that is too large', () => {
    const half = object(JSON_BUDGET.names / 2);
    const parsed = withinJsonBudget(() =>
      [half, object(JSON_BUDGET.names), half, half, '[1]'].map((text) => parseJsonText(text) !== undefined),
    );
    expect(parsed).toEqual([true, false, true, false, true]);
    expect(parseJsonText(half)).toBeDefined();
  });

  it('is not even looked at behind as many characters as are', () => {
    const text = JSON.stringify(['x'.repeat(1_000_000)]);
    const parsed = withinJsonBudget(() => Array.from({ length: 10 }, () => parseJsonText(text) !== undefined));
    expect(parsed.filter(Boolean)).toHaveLength(8);
  });

  it('has its limits anew after work that threw', () => {
    const failing = (): never =>
      withinJsonBudget(() => {
        parseJsonText(object(JSON_BUDGET.names));
        throw new Error('a dialect failed');
      });
    expect(failing).toThrow('a dialect failed');
    expect(withinJsonBudget(() => parseJsonText(object(JSON_BUDGET.names)))).toBeDefined();
  });
});
