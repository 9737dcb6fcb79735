import { describe, expect, it } from 'vitest';
import type { RecordPage } from '../search.ts';
import { resolveOpen, toBeside } from './open-record.ts';

const page = (hasBefore: boolean, hasNext: boolean, ...ids: string[]): RecordPage => ({
  records: ids.map((id) => ({ id, type: 'trace' })),
  hasBefore,
  hasNext,
});
const next = (of: RecordPage, id: string) => toBeside(of, id, 1);
const previous = (of: RecordPage, id: string) => toBeside(of, id, -1);

describe('the record that is open beside the list', () => {
  it('has the ones before and behind it in the order of the list as neighbours', () => {
    const only = page(false, false, 'a', 'b', 'c');
    expect(next(only, 'b')).toEqual({ open: 'c', span: undefined });
    expect(previous(only, 'b')).toEqual({ open: 'a', span: undefined });
  });

  it('has none where the list ends, or where it has left the page', () => {
    const only = page(false, false, 'a', 'b');
    expect(next(only, 'b')).toBeUndefined();
    expect(previous(only, 'a')).toBeUndefined();
    expect(next(only, 'gone')).toBeUndefined();
  });

  it('turns the page at its edges, to the nearest record of the other page', () => {
    const middle = page(true, true, 'c', 'd');
    expect(next(middle, 'd')).toEqual({ after: 'd', before: undefined, open: 'first', span: undefined });
    expect(previous(middle, 'c')).toEqual({ after: undefined, before: 'c', open: 'last', span: undefined });
    expect(resolveOpen(page(true, true, 'e', 'f'), 'first')).toBe('e');
    expect(resolveOpen(page(true, true, 'a', 'b'), 'last')).toBe('b');
    expect(resolveOpen(page(true, false), 'first')).toBeUndefined();
    expect(resolveOpen(middle, 'x')).toBe('x');
  });
});
