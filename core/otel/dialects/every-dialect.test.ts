import { describe, expect, it } from 'vitest';
import type { DialectFields } from '../dialect.ts';
import { DIALECTS, toSources } from './every-dialect.ts';

const FIELDS = [...new Set(DIALECTS.flatMap(({ sources }) => Object.keys(sources) as (keyof DialectFields)[]))];

describe('the dialects', () => {
  /** Of the types, some ranks are one rule for the keys of several dialects, with one answer. */
  it.each(FIELDS.filter((field) => field !== 'type'))('agree on who is asked first for %s', (field) => {
    const ranks = toSources(field).map(({ rank }) => rank);
    expect(ranks.length).toBeGreaterThan(0);
    expect(new Set(ranks).size).toBe(ranks.length);
  });

  it('ask the kinds of every convention before they guess a type', () => {
    const firstRanks = DIALECTS.map(({ id, sources }) => [id, sources.type?.[0]?.rank]);
    expect(firstRanks).toEqual([
      ['our_own', 1],
      ['langfuse', 3],
      ['gen_ai', 7],
      ['openinference', 2],
      ['openllmetry', 5],
      ['ai_sdk', 6],
      ['mlflow', 4],
      ['plain', 8.1],
    ]);
  });
});
