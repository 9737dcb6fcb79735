import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeTree, type LogRecord, type RecordTree, type RecordView, subtreeOf, toRecordView } from './record.ts';

const view = (id: string, parent_id: string | null, more: object = {}): RecordView =>
  ({ id, parent_id, trace_id: 't', type: parent_id === null ? 'trace' : 'tool', ...more }) as unknown as RecordView;
const idsIn = (tree: RecordTree | undefined): unknown => tree && [tree.id, ...tree.spans.map(idsIn)];

/** Every id of a tree, without recursion. */
function flat(tree: RecordTree): string[] {
  const open = [tree];
  for (let at = 0; at < open.length; at += 1) open.push(...open[at]!.spans);
  return open.map(({ id }) => id as string);
}

describe('a tree of records', () => {
  it('nests what it is given in the order it is given', () => {
    const records = [view('t', null), view('b', 't'), view('a', 't'), view('c', 'b'), view('d', 'b'), view('e', 'd')];
    expect(idsIn(computeTree('t', records))).toEqual(['t', ['b', ['c'], ['d', ['e']]], ['a']]);
    expect(idsIn(computeTree('b', records))).toEqual(['b', ['c'], ['d', ['e']]]);
    expect(idsIn(computeTree('e', records))).toEqual(['e']);
    expect(computeTree('x', records)).toBeUndefined();
  });

  it('has the records of its part of the trace', () => {
    const spans = ['a', 'b', 'c', 'd', 'e'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom('t', 'late', ...spans), { minLength: 5, maxLength: 5 }), (parents) => {
        const records = [view('t', null), ...spans.map((id, at) => view(id, parents[at]!))];
        for (const id of ['t', ...spans]) {
          const part = subtreeOf(id, records as unknown as LogRecord[]);
          expect(part.map((record) => record.id).toSorted()).toEqual(flat(computeTree(id, records)!).toSorted());
        }
      }),
    );
  });

  it('keeps the fields of every record, and leaves the records alone', () => {
    const records = [view('t', null, { name: 'root' }), view('a', 't', { name: 'leaf' })];
    expect(computeTree('t', records)).toEqual({ ...records[0], spans: [{ ...records[1], spans: [] }] });
    expect(records[0]).not.toHaveProperty('spans');
  });

  it('hangs spans whose parent has not arrived under the trace', () => {
    const records = [view('t', null), view('a', 'late'), view('b', 'a')];
    expect(idsIn(computeTree('t', records))).toEqual(['t', ['a', ['b']]]);
    expect(idsIn(computeTree('a', records))).toEqual(['a', ['b']]);
  });

  it('hides nothing when spans are their own ancestors', () => {
    const records = [view('t', null), view('self', 'self'), view('a', 'b'), view('b', 'a'), view('c', 'b')];
    expect(flat(computeTree('t', records)!).toSorted()).toEqual(['a', 'b', 'c', 'self', 't']);
    expect(flat(computeTree('a', records)!)).toEqual(['a', 'b', 'c']);
  });

  it('shows every record of a trace exactly once, whatever the parents are', () => {
    const parents = fc.array(fc.nat({ max: 12 }), { maxLength: 12 });
    fc.assert(
      fc.property(parents, (given) => {
        const records = [view('t', null), ...given.map((parent, at) => view(`${at}`, parent === 12 ? 't' : `${parent}`))];
        const ids = records.map(({ id }) => id);
        expect(flat(computeTree('t', records)!).toSorted()).toEqual(ids.toSorted());
        for (const id of ids) expect(new Set(flat(computeTree(id, records)!)).size).toBe(flat(computeTree(id, records)!).length);
      }),
    );
  });

  it('of a chain of 5,000 spans can be written as JSON and holds them all', () => {
    const chain = Array.from({ length: 5_000 }, (_, at) => view(`${at}`, at === 0 ? 't' : `${at - 1}`));
    const tree = computeTree('t', [view('t', null), ...chain])!;
    expect(flat(tree)).toHaveLength(5_001);
    expect(JSON.parse(JSON.stringify(tree)).spans[0].spans[0].id).toBe('1');
    expect(flat(computeTree('4000', [view('t', null), ...chain])!)).toHaveLength(1_000);
  });
});

it('a view shows the fields of its type, and no others', () => {
  const record = { id: '1', type: 'llm', attributes: { model: 'm', events: [] } } as unknown as LogRecord;
  const named = { file_ids: [], file_modalities: [] };
  const prompt = { prompt_name: null, prompt_version: null, prompt_version_id: null };
  const nothing = { tools: null, temperature: null, finish_reason: null, ...prompt, ...named };
  expect(toRecordView(record)).toStrictEqual({ id: '1', type: 'llm', model: 'm', events: [], ...nothing });
  expect(toRecordView({ ...record, type: 'trace', attributes: {} })).toStrictEqual({ id: '1', type: 'trace', ...named });
});
