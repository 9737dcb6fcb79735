import { describe, expect, it } from 'vitest';
import { z as zod3 } from 'zod/v3';
import { defineModelProvider, type PriceList, z } from '../plugin-sdk/index.ts';
import { malformed } from './plugin-shape.ts';

const row = { model: 'm', from: '2026-01-01', input: 1, output: 2 };
const priced = (prices: unknown) =>
  defineModelProvider({
    id: 'sample',
    sdk: 1,
    stability: 'stable',
    label: 'Sample',
    summary: 'A provider of the tests.',
    settings: z.strictObject({ token: z.string() }),
    prices: prices as PriceList,
    create: () => ({ complete: () => Promise.reject(), models: async () => [], check: async () => {} }),
  });

describe('the price list of a model provider', () => {
  it('is taken with a page and rows, and with another name for a model', () => {
    const list = { page: 'https://example.org/pricing', rows: [row] };
    expect(malformed(priced(list))).toBeUndefined();
    expect(malformed(priced({ ...list, toPricedName: (model: string) => ({ provider: 'other', model }) }))).toBeUndefined();
  });

  it.each<[string, unknown, RegExp]>([
    ['without a page', { rows: [row] }, /prices\.page/],
    ['with a page that is no URL', { page: 'the web', rows: [row] }, /prices\.page/],
    ['without rows', { page: 'https://example.org/pricing' }, /prices\.rows/],
    ['with a price below zero', { page: 'https://example.org/pricing', rows: [{ ...row, input: -1 }] }, /prices\.rows\.0\.input/],
    [
      'with a day that is none',
      { page: 'https://example.org/pricing', rows: [{ ...row, from: 'today' }] },
      /prices\.rows\.0\.from/,
    ],
    [
      'with other names that are no function',
      { page: 'https://example.org/pricing', rows: [], toPricedName: 'openai' },
      /prices\.toPricedName/,
    ],
  ])('is refused %s', (_what, prices, flaw) => {
    expect(malformed(priced(prices))).toMatch(flaw);
  });
});

describe('the settings of a plugin', () => {
  const withSettings = (settings: unknown) => Object.assign({ ...priced(undefined) }, { settings });

  it('have to be a schema of zod 4', () => {
    const settings = zod3.object({ token: zod3.string() });
    expect(malformed(withSettings(settings))).toBe('settings is a schema of zod 3: it has to be one of zod 4');
  });

  it.each([
    ['what is no schema', { token: 'string' }, 'settings is not a zod schema that prints as JSON Schema'],
    [
      'a schema without a form in JSON Schema',
      z.strictObject({ at: z.date() }),
      'settings is not a zod schema that prints as JSON Schema',
    ],
    ['a schema of another type', z.string(), 'settings is not a zod schema of an object'],
  ])('are refused as %s', (_what, settings, flaw) => {
    expect(malformed(withSettings(settings))).toBe(flaw);
  });
});
