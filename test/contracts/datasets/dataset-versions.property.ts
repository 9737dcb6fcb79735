import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatasetDiff } from '../../../core/datasets/diff.ts';
import { ContentEdits, ContentReplacement } from '../../../core/datasets/edit.ts';
import type { DatasetValue, RowValues } from '../../../core/datasets/row.ts';
import type { AppError } from '../../../core/kernel/errors.ts';
import { newDataset, readRows } from '../../http/datasets/dataset-fixture.ts';
import { readContent } from '../../setup/read-content.ts';
import { DatasetModel, type ModelEdit } from './dataset-model.ts';
import { type DatasetServices, type DatasetStores, datasetServices } from './dataset-stores.ts';

const NAMES = ['input', 'x', 'y', 'É "\' /'];
const value: fc.Arbitrary<DatasetValue> = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'a\0\ud83e\uf8ff', '1', '{"a":1}'),
  fc.constantFrom(0, 1, -1.5e-7, 1e300),
  fc.constant(null),
  fc.dictionary(fc.constantFrom('a', 'b', '\0'), fc.constantFrom('a', 1, null), { maxKeys: 2, noNullPrototype: true }),
);
const values = fc.dictionary(fc.constantFrom(...NAMES), value, { noNullPrototype: true }) as fc.Arbitrary<RowValues>;
const pick = fc.nat({ max: 999 });
type Change =
  | { readonly kind: 'append_row' | 'prepend_row'; readonly values: RowValues }
  | { readonly kind: 'update_row'; readonly pick: number; readonly values: RowValues }
  | { readonly kind: 'delete_row'; readonly pick: number };
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constantFrom('append_row' as const, 'prepend_row' as const), values }),
  fc.record({ kind: fc.constant('update_row' as const), pick, values }),
  fc.record({ kind: fc.constant('delete_row' as const), pick }),
);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), changes: fc.array(change, { minLength: 1, maxLength: 9 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rollback' as const), pick, base: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('keep' as const), kept: fc.infiniteStream(fc.boolean()) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('map' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refused' as const), changes: fc.array(change, { maxLength: 2 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
const looks = fc.record({ version: pick, other: pick, offset: fc.nat({ max: 30 }), limit: fc.integer({ min: 1, max: 7 }) });
const run = fc.record({
  first: fc.array(values, { maxLength: 12 }),
  steps: fc.array(fc.tuple(step, looks), { maxLength: 12 }),
});

const among = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length];

/** Random edits, rollbacks, copies and mappings, each followed by looks at random versions, beside a plain model. */
export function datasetVersionsProperty(adapter: string, open: () => Promise<DatasetStores>, numRuns: number): void {
  let stores: DatasetStores;
  beforeAll(async () => {
    stores = await open();
  });
  afterAll(() => stores.close());

  it(`keeps every version of a dataset as a plain model does, ${adapter}`, async () => {
    await fc.assert(
      fc.asyncProperty(run, async ({ first, steps }) => {
        const bench = await Bench.open(datasetServices(stores), first);
        for (const [one, look] of steps) {
          await bench.apply(one);
          await bench.look(look);
        }
        await bench.lookAtAll();
      }),
      { numRuns },
    );
  }, 300_000);
}

interface Other {
  readonly id: string;
  readonly names: readonly string[];
}

class Bench {
  readonly #services: DatasetServices;
  readonly #id: string;
  readonly #model = new DatasetModel();
  readonly #other: Other;

  private constructor(services: DatasetServices, id: string, other: Other) {
    this.#services = services;
    this.#id = id;
    this.#other = other;
  }

  static async open(services: DatasetServices, first: readonly RowValues[]): Promise<Bench> {
    const { datasetCreationService, caller } = services;
    const other = await datasetCreationService.create(
      caller,
      newDataset(),
      readRows([{ y: '1', z: 2 }, { z: null }, { y: '3' }], ['input']),
    );
    const { id } = await datasetCreationService.create(caller, newDataset(), readRows(first));
    const bench = new Bench(services, id, { id: other.id, names: other.column_names! });
    const ids = await bench.#ids();
    bench.#model.create(first.map((row, at) => ({ id: ids[at]!, values: row })));
    await bench.#compare(1);
    return bench;
  }

  async apply(one: Step): Promise<void> {
    if (one.kind === 'edit') await this.#edit(this.#toEdits(one.changes));
    else if (one.kind === 'keep') await this.#keep(one.kept);
    else if (one.kind === 'rollback')
      await this.#rollBack(1 + (one.pick % this.#model.versions.length), 1 + (one.base % this.#model.versions.length));
    else if (one.kind === 'copy') await this.#copy();
    else if (one.kind === 'map') await this.#map(one.pick);
    else await this.#refused(this.#toEdits(one.changes));
    await this.#compare(this.#model.versions.length);
  }

  async look({
    version,
    other,
    offset,
    limit,
  }: {
    version: number;
    other: number;
    offset: number;
    limit: number;
  }): Promise<void> {
    const count = this.#model.versions.length;
    const [a, b] = [1 + (version % count), 1 + (other % count)];
    await this.#compare(a, offset, limit);
    await this.#compareDiff(a, b, limit);
  }

  async lookAtAll(): Promise<void> {
    for (const [at] of this.#model.versions.entries()) await this.#compare(at + 1);
    const { versions } = await this.#services.datasetContentService.listVersions(
      this.#services.caller,
      this.#id,
      { sort: { name: 'version_index', ascending: true } },
      { starting_token: 0, limit: 1000 },
    );
    expect(versions.map(({ version_index }) => version_index)).toEqual(this.#model.versions.map((_, at) => at + 1));
    for (const version of versions) {
      const model = this.#model.versions[version.version_index - 1]!;
      expect(version).toMatchObject({ ...this.#model.counters(version.version_index), num_rows: model.rows.length });
    }
  }

  #toEdits(changes: readonly Change[]): ModelEdit[] {
    const { rows } = this.#model.current;
    return changes.flatMap((one): ModelEdit[] => {
      if (!('pick' in one)) return [{ edit_type: one.kind, row_id: randomUUID(), values: one.values }];
      const row_id = among(rows, one.pick)?.id;
      if (row_id === undefined) return [];
      return one.kind === 'delete_row'
        ? [{ edit_type: 'delete_row', row_id }]
        : [{ edit_type: 'update_row', row_id, values: one.values }];
    });
  }

  async #edit(edits: ModelEdit[]): Promise<void> {
    if (edits.length === 0) return;
    await this.#services.datasetEditService.edit(this.#services.caller, this.#id, ContentEdits.parse({ edits }), undefined);
    this.#model.edit(edits);
  }

  async #keep(kept: fc.Stream<boolean>): Promise<void> {
    const answers = [...kept.take(this.#model.current.rows.length)];
    const row_ids = this.#model.current.rows.filter((_, at) => answers[at]).map(({ id }) => id);
    const edits = ContentEdits.parse({ edits: [{ edit_type: 'filter_rows', row_ids }] });
    await this.#services.datasetEditService.edit(this.#services.caller, this.#id, edits, undefined);
    this.#model.keep(row_ids);
  }

  /** Refused where newer edits would be lost, and then forced. */
  async #rollBack(rollback_version: number, base_version_index: number): Promise<void> {
    const goBack = (force: boolean) => {
      const wanted = ContentReplacement.parse({ rollback_version, base_version_index, force });
      return this.#services.datasetEditService.replace(this.#services.caller, this.#id, wanted, undefined);
    };
    const lost = this.#model.lost(base_version_index, rollback_version);
    const refusal = await goBack(false).then(
      () => undefined,
      (error: unknown) => error as AppError,
    );
    const getLost = (type: string) => (refusal?.issues ?? []).filter((issue) => issue.type === type).map(({ input }) => input);
    expect(getLost('row_edited').sort()).toEqual(lost.rows.sort());
    expect(getLost('column_edited')).toHaveLength(lost.columns);
    if (refusal) {
      expect(refusal.code).toBe('edit_conflict');
      await goBack(true);
    }
    this.#model.rollBack(rollback_version);
  }

  async #copy(): Promise<void> {
    const { datasetEditService, datasetContentService, caller } = this.#services;
    await datasetEditService.replace(caller, this.#id, ContentReplacement.parse({ dataset_id: this.#other.id }), undefined);
    const content = await readContent(datasetContentService, caller, this.#other.id, { starting_token: 0, limit: 1000 });
    const ids = await this.#ids();
    this.#model.copy(
      content.rows.map(({ values_dict }, at) => ({ id: ids[at]!, values: values_dict })),
      this.#other.names,
    );
  }

  /** Every column that has not its well-known name yet is either renamed or merged with another one. */
  async #map(at: number): Promise<void> {
    const names = this.#model.current.columns.map(({ name }) => name);
    const free = ['output', 'metadata', 'generated_output'].filter((name) => !names.includes(name));
    const [target] = free;
    const source = among(names, at);
    if (!target || !source) return;
    const second = names.find((name) => name !== source);
    const columns = at % 2 === 0 && second ? [source, second] : [source];
    const update = { column_mapping: { [target]: { columns, flatten: false } } };
    await this.#services.datasetService.update(this.#services.caller, this.#id, update);
    if (columns.length === 1) this.#model.rename(source, target);
    else this.#model.merge(columns, target);
  }

  async #refused(edits: ModelEdit[]): Promise<void> {
    const { datasetEditService, caller } = this.#services;
    const unknown = { edit_type: 'delete_row', row_id: randomUUID() };
    const refused = datasetEditService.edit(caller, this.#id, ContentEdits.parse({ edits: [...edits, unknown] }), undefined);
    await expect(refused).rejects.toMatchObject({ code: 'edits_invalid' });
    const one = ContentEdits.parse({ edits: [{ edit_type: 'append_row', values: {} }] });
    await expect(datasetEditService.edit(caller, this.#id, one, [randomUUID()])).rejects.toMatchObject({
      kind: 'precondition_failed',
    });
  }

  async #ids(): Promise<string[]> {
    const { datasetContentService, caller } = this.#services;
    const content = await readContent(datasetContentService, caller, this.#id, { starting_token: 0, limit: 1000 });
    return content.rows.map(({ row_id }) => row_id);
  }

  async #compare(version_index: number, offset = 0, limit = 1000): Promise<void> {
    const { datasetContentService, caller } = this.#services;
    const content = await readContent(datasetContentService, caller, this.#id, { starting_token: offset, limit }, version_index);
    const { columns, rows } = this.#model.versions[version_index - 1]!;
    expect(content.column_names).toEqual(columns.map(({ name }) => name));
    expect(content.next_starting_token).toBe(offset + limit < rows.length ? offset + limit : null);
    const shown = rows.slice(offset, offset + limit);
    expect(content.rows).toEqual(
      shown.map((row, at) => ({
        row_id: row.id,
        index: offset + at,
        values: Object.values(this.#model.toValues(row, columns)),
        values_dict: this.#model.toValues(row, columns),
        metadata: expect.objectContaining({ created_in_version: row.created, updated_in_version: row.updated }),
      })),
    );
  }

  async #compareDiff(a: number, b: number, limit: number): Promise<void> {
    const [before, after] = [this.#model.versions[a - 1]!, this.#model.versions[b - 1]!];
    const expected = this.#model.compare(before, after);
    const pages = await this.#diffPages(a, b, limit);
    const rows = pages.flatMap((page) => page.rows);
    const getIds = (change: string) => rows.filter((row) => row.change === change).map(({ row_id }) => row_id);
    expect(getIds('added')).toEqual(expected.rows_added);
    expect(getIds('removed')).toEqual(expected.rows_removed);
    expect(getIds('edited')).toEqual(expected.rows_edited);
    expect(pages[0]!.summary).toEqual({
      rows_added: expected.rows_added.length,
      rows_removed: expected.rows_removed.length,
      rows_edited: expected.rows_edited.length,
    });
    expect(pages[0]!.columns_added).toHaveLength(expected.columns_added.length);
    expect(pages[0]!.columns_removed).toHaveLength(expected.columns_removed.length);
    expect(pages[0]!.columns_renamed).toHaveLength(expected.columns_renamed.length);
    for (const row of rows) {
      const was = before.rows.findIndex(({ id }) => id === row.row_id);
      const is = after.rows.findIndex(({ id }) => id === row.row_id);
      expect([row.index_before ?? -1, row.index_after ?? -1]).toEqual([was, is]);
      if (was >= 0) expect(row.values_before).toEqual(this.#model.toValues(before.rows[was]!, before.columns));
      if (is >= 0) expect(row.values_after).toEqual(this.#model.toValues(after.rows[is]!, after.columns));
      expect(row.cells.length > 0).toBe(row.change === 'edited');
    }
  }

  async #diffPages(a: number, b: number, limit: number): Promise<DatasetDiff[]> {
    const { datasetDiffService, caller } = this.#services;
    const pages: DatasetDiff[] = [];
    for (let token: number | null = 0; token !== null; token = pages.at(-1)!.next_starting_token) {
      pages.push(await datasetDiffService.compare(caller, this.#id, a, b, { starting_token: token, limit }));
    }
    return pages;
  }
}
