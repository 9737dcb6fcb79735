import { describe, expect, it } from 'vitest';
import { sortBy, sorted } from './sort.ts';

const Sort = sortBy({ name: 'column', runs: 'custom' }, { name: 'runs', ascending: false });

describe('sortBy', () => {
  it('reads a sort and fills in its defaults', () => {
    expect(Sort.parse({ name: 'name' })).toEqual({ name: 'name', ascending: true });
    expect(Sort.parse({ name: 'name', ascending: null, sort_type: null })).toEqual({ name: 'name', ascending: true });
    expect(Sort.parse({ name: 'runs', ascending: false, sort_type: 'custom' })).toEqual({ name: 'runs', ascending: false });
  });

  it('sorts by what the list is sorted by anyway where it does not say by what', () => {
    expect(Sort.parse({})).toEqual({ name: 'runs', ascending: true });
    expect(Sort.parse({ name: null, ascending: false, sort_type: 'custom' })).toEqual({ name: 'runs', ascending: false });
    expect(Sort.safeParse({ sort_type: 'column' }).success).toBe(false);
  });

  it('returns the default order for an absent sort', () => {
    expect(Sort.parse(null)).toEqual({ name: 'runs', ascending: false });
    expect(Sort.parse(undefined)).toEqual({ name: 'runs', ascending: false });
  });

  it.each([{ name: 'id' }, { name: 'name', sort_type: 'custom' }, { name: 'name', ascending: 'yes' }, 'name'])(
    'refuses %j',
    (sort) => {
      expect(Sort.safeParse(sort).success).toBe(false);
    },
  );
});

describe('sorted', () => {
  const rows = [
    { id: '2', text: 'b' },
    { id: '3', text: 'a' },
    { id: '1', text: 'b' },
  ];
  const ids = (ascending: boolean) => sorted(rows, ascending, ({ text }) => text).map(({ id }) => id);

  it('breaks ties by ascending id in both directions', () => {
    expect(ids(true)).toEqual(['3', '1', '2']);
    expect(ids(false)).toEqual(['1', '2', '3']);
  });

  it('leaves its input as it was', () => {
    ids(true);
    expect(rows.map(({ id }) => id)).toEqual(['2', '3', '1']);
  });

  it('orders texts by code point, where UTF-16 units would order otherwise', () => {
    const texts = ['\u{1f99c}', '\uff5e', 'ab', 'a'].map((text) => ({ id: text, text }));
    expect(sorted(texts, true, ({ text }) => text).map(({ text }) => text)).toEqual(['a', 'ab', '\uff5e', '\u{1f99c}']);
  });
});
