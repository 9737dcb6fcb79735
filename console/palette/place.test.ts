import { describe, expect, it } from 'vitest';
import { isId, listMatches, listViews, parsePlace } from './place.ts';

const labels = (path: string, text = '') =>
  listMatches(listViews(parsePlace(path)), text).map(({ group, label }) => `${group}: ${label}`);

describe('the command palette', () => {
  it('offers the views of the log stream and of the project first', () => {
    expect(labels('/projects/p/log_streams/s/trends')[0]).toBe('This log stream: Traces');
    expect(labels('/projects/p/traces/t')[0]).toBe('This project: Home');
    expect(labels('/datasets')[0]).toBe('Go to: Projects');
  });

  it('finds views by all words that are typed, in any order', () => {
    expect(labels('/projects/p/log_streams/s', 'log tren')).toEqual(['This log stream: Trends']);
    expect(labels('/', 'audit')).toEqual(['Go to: Audit log']);
    expect(labels('/', 'no such view')).toEqual([]);
  });

  it('tells ids of records from other text', () => {
    expect([isId(' 0b6d0a3e-5a0c-4b8e-9a7e-0c5f4c1d2e3f'), isId('0b6d0a3e'), isId('refund')]).toEqual([true, false, false]);
  });
});
