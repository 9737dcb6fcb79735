import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Block, Entry } from '../../../core/datasets/block.ts';
import type { Cells, RowRevision } from '../../../core/datasets/content.ts';
import type { CellFilter, CellSort, DatasetContentStore } from '../../../core/datasets/dataset-content-store.ts';
import type { NextNumbers, StoredVersion } from '../../../core/datasets/version.ts';
import type { Opened } from '../opened.ts';

const USER = '11111111-1111-4111-8111-111111111111';
const AT = '2026-01-02T03:04:05.678901Z';
const NEXT: NextNumbers = { revision: 7, block: 3, column: 4, last_position: 9, first_position: -2 };

const version = (dataset_id: string, facts: Partial<StoredVersion> = {}): StoredVersion => ({
  dataset_id,
  version_index: 1,
  id: randomUUID(),
  name: null,
  created_at: AT,
  created_by: USER,
  num_rows: 0,
  columns: [{ key: 2, name: 'É "\' / %' }],
  rows_added: 1,
  rows_removed: 2,
  rows_edited: 3,
  columns_added: 4,
  columns_removed: 5,
  columns_renamed: 6,
  ...facts,
});

const row = (revision: number, cells: Cells, facts: Partial<RowRevision> = {}): RowRevision => ({
  revision,
  row_id: randomUUID(),
  position: revision,
  cells,
  created_in_version: 1,
  created_at: AT,
  created_by: USER,
  updated_in_version: 2,
  updated_at: '2026-02-03T04:05:06.000Z',
  updated_by: randomUUID(),
  ...facts,
});

export function datasetContentStoreContract(adapter: string, open: () => Promise<Opened<DatasetContentStore>>): void {
  describe(`DatasetContentStore, ${adapter}`, () => {
    let opened: Opened<DatasetContentStore>;
    let store: DatasetContentStore;
    let id: string;
    beforeEach(async () => {
      opened = await open();
      store = opened.port;
      id = randomUUID();
    });
    afterEach(() => opened.close());

    versions(() => [store, id]);
    blocksAndRows(() => [store, id]);
    searches(() => [store, id]);
  });
}

type At = () => readonly [DatasetContentStore, string];

function versions(at: At): void {
  it('returns versions as they were stored, and where the dataset stands', async () => {
    const [store, id] = at();
    const blocks: Block[] = [
      { id: 1, size: 2, first: -1 },
      { id: 2, size: 1, first: 5 },
    ];
    const [first, second] = [version(id), version(id, { version_index: 2, name: 'two', columns: [] })];
    await store.insertVersion(first, [], { ...NEXT, revision: 1 });
    await store.insertVersion(second, blocks, NEXT);
    expect(await store.findVersion(id)).toStrictEqual(second);
    expect(await store.findVersion(id, 1)).toStrictEqual(first);
    expect(await store.listBlocks(id, 1)).toStrictEqual([]);
    expect(await store.listBlocks(id, 2)).toStrictEqual(blocks);
    expect(await store.findHead(id)).toStrictEqual({ version: second, blocks, next: NEXT });
  });

  it('lists versions in either order, slice by slice', async () => {
    const [store, id] = at();
    const all = [1, 2, 3].map((version_index) => version(id, { version_index }));
    for (const one of all) await store.insertVersion(one, [], NEXT);
    await store.insertVersion(version(randomUUID()), [], NEXT);
    expect(await store.listVersions(id, true, { offset: 0, limit: 9 })).toStrictEqual(all);
    expect(await store.listVersions(id, false, { offset: 1, limit: 1 })).toStrictEqual([all[1]]);
  });

  it('changes the name of a version and nothing else', async () => {
    const [store, id] = at();
    const stored = version(id);
    await store.insertVersion(stored, [], NEXT);
    expect(await store.nameVersion(id, 1, 'läst')).toStrictEqual({ ...stored, name: 'läst' });
    expect(await store.nameVersion(id, 1, null)).toStrictEqual(stored);
    expect(await store.nameVersion(id, 2, 'x')).toBeUndefined();
  });

  it('knows nothing of what is not there', async () => {
    const [store, id] = at();
    expect(await store.findHead(id)).toBeUndefined();
    expect(await store.findVersion(id)).toBeUndefined();
    expect(await store.findVersion(id, 0)).toBeUndefined();
    expect(await store.listBlocks(id, 1)).toEqual([]);
    expect(await store.listVersions(id, true, { offset: 0, limit: 9 })).toEqual([]);
    expect(await store.computePositions(id, [randomUUID()])).toEqual(new Map());
    expect(await store.readBlocks(id, [])).toEqual([]);
    expect(await store.readRows(id, [])).toEqual([]);
    await expect(store.readBlocks(id, [1])).rejects.toMatchObject({ kind: 'not_found' });
    await expect(store.readRows(id, [1])).rejects.toMatchObject({ kind: 'not_found' });
    expect(await store.readRowsWithin(id, [], 1)).toEqual([]);
    await expect(store.readRowsWithin(id, [1], 1)).rejects.toMatchObject({ kind: 'not_found' });
  });
}

function blocksAndRows(at: At): void {
  it('returns blocks and rows in the order asked for', async () => {
    const [store, id] = at();
    const blocks: Entry[][] = [
      [
        { position: -3, revision: 9 },
        { position: 4, revision: 2 },
      ],
      [{ position: 8, revision: 1 }],
    ];
    await store.insertBlock(id, 1, blocks[0]!);
    await store.insertBlock(id, 2, blocks[1]!);
    await store.insertBlock(randomUUID(), 1, []);
    expect(await store.readBlocks(id, [2, 1])).toStrictEqual([blocks[1], blocks[0]]);
    const rows = [row(1, {}), row(2, { 1: 'x' }), row(9, { 1: 'y' })];
    await store.insertRows(id, rows);
    expect(await store.readRows(id, [9, 1])).toStrictEqual([rows[2], rows[0]]);
  });

  it('returns rows until they are as many bytes as wanted, one at least', async () => {
    const [store, id] = at();
    const KIBIBYTE = 1024;
    // One that a database packs to nearly nothing, one that it cannot pack, and small ones.
    const packed = 'x'.repeat(3_000 * KIBIBYTE);
    const plain = Array.from({ length: 2_000 }, () => randomUUID()).join('');
    const rows = [row(1, { 1: 'a' }), row(2, { 1: packed }), row(3, { 1: plain }), row(4, { 1: 'b' }), row(5, {})];
    await store.insertRows(id, rows);
    const within = async (revisions: number[], maxBytes: number) =>
      (await store.readRowsWithin(id, revisions, maxBytes)).map(({ revision }) => revision);
    expect(await store.readRowsWithin(id, [4, 1], 100_000)).toStrictEqual([rows[3], rows[0]]);
    expect(await within([1, 2, 3, 4, 5], 10_000 * KIBIBYTE)).toEqual([1, 2, 3, 4, 5]);
    expect(await within([1, 2, 3, 4, 5], 1_000 * KIBIBYTE)).toEqual([1, 2]);
    expect(await within([1, 3, 4, 2, 5], 60 * KIBIBYTE)).toEqual([1, 3]);
    expect(await within([3, 2, 1], 1)).toEqual([3]);
    expect(await within([5, 4, 3, 2, 1], 100 * KIBIBYTE)).toEqual([5, 4, 3, 2]);
    await expect(store.readRowsWithin(id, [1, 9], 100_000)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('keeps every value exactly', async () => {
    const [store, id] = at();
    const cells: Cells = {
      1: 'a\0b \ud83e \udd9c \uf8ff\uf8e0 \u{1f99c}',
      2: '',
      3: -1.5e-7,
      4: 1e300,
      5: { b: 'x\0', a: null, 'é"\\': 2.5, toString: '\ud800' },
      6: {},
      7: '["not a list"]',
      100: '{}',
    };
    const stored = row(1, cells);
    await store.insertRows(id, [stored]);
    const [read] = await store.readRows(id, [1]);
    expect(read).toStrictEqual(stored);
    expect(Object.keys(read!.cells[5] as object)).toEqual(['b', 'a', 'é"\\', 'toString']);
  });

  it('counts which of several pairs of rows differ', async () => {
    const [store, id] = at();
    const cells: Cells[] = [
      { 1: 'a', 2: { x: 1, y: 2 } },
      { 2: { x: 1, y: 2 }, 1: 'a' },
      { 1: 'a', 2: { y: 2, x: 1 } },
      { 1: 'a' },
      { 1: '["a"]' },
      { 1: 1 },
      { 1: '1' },
    ];
    await store.insertRows(
      id,
      cells.map((one, index) => row(index + 1, one)),
    );
    const differ = (before: number, after: number) => store.countDiffering(id, [[before, after]]);
    expect(await differ(1, 2)).toBe(0);
    expect(await differ(1, 3)).toBe(1);
    expect(await differ(1, 4)).toBe(1);
    expect(await differ(4, 5)).toBe(1);
    expect(await differ(6, 7)).toBe(1);
    const pairs = [1, 2, 3, 4, 5, 6, 7].flatMap((a) => [1, 2].map((b) => [a, b] as const));
    expect(await store.countDiffering(id, pairs)).toBe(10);
    expect(await store.countDiffering(id, [])).toBe(0);
  });

  it('tells positions of rows that ever were there', async () => {
    const [store, id] = at();
    const row_id = randomUUID();
    await store.insertRows(id, [row(1, {}, { row_id, position: -5 }), row(2, {}, { row_id, position: -5 }), row(3, {})]);
    await store.insertRows(randomUUID(), [row(1, {}, { row_id, position: 7 })]);
    expect(await store.computePositions(id, [row_id, randomUUID()])).toEqual(new Map([[row_id, -5]]));
  });
}

function searches(at: At): void {
  const VALUES = ['b', 10, 'a%', null, { k: 'b' }, 9, 'ab', 'B', -1e-7, '9', '\u{1f99c}', '\uff5e'] as const;
  const all = VALUES.map((_, index) => index);

  async function found(filters: CellFilter[], sort?: CellSort, offset = 0, limit = 100): Promise<number[]> {
    const [store] = at();
    const id = randomUUID();
    const cells = VALUES.map(
      (value, index): Cells => (value === null ? { 2: 'z' } : { 1: value, 2: index % 2 ? 'odd' : 'even' }),
    );
    await store.insertRows(
      id,
      cells.map((one, index) => row(index + 1, one)),
    );
    const entries = cells.map((_, index): Entry => ({ position: index, revision: index + 1 }));
    await store.insertBlock(id, 1, entries.slice(0, 5));
    await store.insertBlock(id, 2, [{ position: 99, revision: 1 }]);
    await store.insertBlock(id, 3, entries.slice(5));
    const blocks = [
      { id: 1, size: 5, first: 0 },
      { id: 3, size: 7, first: 5 },
    ];
    const rows = await store.search(id, blocks, filters, sort, { offset, limit });
    for (const { index, revision } of rows) expect(revision).toBe(index + 1);
    return rows.map(({ index }) => index);
  }

  it.each<[CellFilter['operator'], string, number[]]>([
    ['contains', 'b', [0, 4, 6]],
    ['contains', '%', [2]],
    ['contains', '"k":', [4]],
    ['contains', '', all.filter((index) => index !== 3)],
    ['eq', 'b', [0]],
    ['eq', '10', [1]],
    ['eq', '9', [5, 9]],
    ['eq', '{"k":"b"}', [4]],
    ['eq', '', []],
    ['ne', '9', all.filter((index) => index !== 5 && index !== 9)],
  ])('finds what %s %j', async (operator, value, expected) => {
    expect(await found([{ key: 1, operator, value }])).toEqual(expected);
  });

  it('joins filters by and', async () => {
    const filters: CellFilter[] = [
      { key: 1, operator: 'contains', value: 'b' },
      { key: 2, operator: 'eq', value: 'even' },
    ];
    expect(await found(filters)).toEqual([0, 4, 6]);
    expect(await found([{ key: 2, operator: 'eq', value: 'odd' }, ...filters.slice(0, 1)])).toEqual([]);
    expect(await found([{ key: 9, operator: 'ne', value: 'x' }])).toEqual(all);
  });

  it('orders numbers before texts before nothing', async () => {
    expect(await found([], { key: 1, ascending: true })).toEqual([8, 5, 1, 9, 7, 2, 6, 0, 4, 11, 10, 3]);
  });

  it('orders the other way round when descending', async () => {
    expect(await found([], { key: 1, ascending: false })).toEqual([3, 10, 11, 4, 0, 6, 2, 7, 9, 1, 5, 8]);
  });

  it('breaks ties by the order of the version, and cuts slices', async () => {
    expect(await found([], { key: 2, ascending: false }, 1, 4)).toEqual([1, 5, 7, 9]);
    expect(await found([], undefined, 4, 3)).toEqual([4, 5, 6]);
  });
}
