import { describe, expect, it } from 'vitest';
import { getSurroundings, MAX_CHARACTERS, toTrajectory } from './trajectory.ts';

const text = (id: string, parent_id: string | null, type = 'tool', more: object = {}) =>
  JSON.stringify({ id, parent_id, type, ...more });
const trace = (id: string) => text(id, null, 'trace');
const idsIn = (nodes: readonly { readonly id: string; readonly spans: readonly unknown[] }[]): unknown =>
  nodes.map(({ id, spans }) => [id, idsIn(spans as never)]);

describe('what a program is told of a trajectory', () => {
  it('is asked for by naming it', () => {
    expect(getSurroundings('const scorer = (record, { spans }) => spans.length;')).toBe('session');
    expect(getSurroundings('def scorer(record, context):\n  return len(context["traces"])')).toBe('session');
    expect(getSurroundings('function scorer(record) { return record.backtraces; }')).toBe('none');
  });

  it('is the spans of a trace, flat and as a tree', () => {
    const around = [trace('t'), text('a', 't', 'agent'), text('b', 'a'), text('c', 't'), text('lost', 'gone')];
    const told = toTrajectory({ record: trace('t'), around })!;
    expect(told.spans.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'lost']);
    expect(idsIn(told.tree)).toEqual([
      ['a', [['b', []]]],
      ['c', []],
      ['lost', []],
    ]);
    expect(told).toMatchObject({ cut: null });
    expect(told).not.toHaveProperty('traces');
  });

  it('is the traces of a session in their order, and nothing for a span', () => {
    const around = [trace('t'), text('a', 't'), trace('u'), text('b', 'u')];
    const told = toTrajectory({ record: text('s', null, 'session'), around })!;
    expect(idsIn(told.traces!)).toEqual([
      ['t', [['a', []]]],
      ['u', [['b', []]]],
    ]);
    expect(toTrajectory({ record: text('a', 't'), around })).toBeUndefined();
  });

  it('is cut where it is too long, and says so', () => {
    const long = 'x'.repeat(MAX_CHARACTERS / 2);
    const around = [
      trace('t'),
      text('a', 't'),
      text('b', 't', 'tool', { output: long }),
      text('c', 't', 'tool', { output: long }),
    ];
    const told = toTrajectory({ record: trace('t'), around })!;
    expect(told.spans.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(told.cut).toBe(`the first 3 of 4 records, of ${MAX_CHARACTERS} characters`);
  });

  it('stays flat enough to be written as JSON, however deep the spans are', () => {
    const around = [trace('t'), ...Array.from({ length: 5_000 }, (_, at) => text(`${at}`, at === 0 ? 't' : `${at - 1}`))];
    const told = toTrajectory({ record: trace('t'), around })!;
    expect(JSON.stringify(told).split('"id"').length - 1).toBe(10_000);
  });
});
