import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContentEdits } from '../../../core/datasets/edit.ts';
import { datasetStoreContract } from '../../contracts/datasets/dataset-store.contract.ts';
import { datasetServices } from '../../contracts/datasets/dataset-stores.ts';
import { newDataset, readRows } from '../../http/datasets/dataset-fixture.ts';
import { openPostgresDatasets } from '../../setup/dataset-stores.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';
import { readContent } from '../../setup/read-content.ts';

const TABLES = ['datasets', 'dataset_versions', 'dataset_manifests', 'dataset_blocks', 'dataset_rows', 'dataset_projects'];

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

datasetStoreContract('PostgreSQL', async () => {
  await database.empty(...TABLES, 'projects');
  return openPostgresDatasets(database);
});

describe('datasets on PostgreSQL', () => {
  const services = () => datasetServices(openPostgresDatasets(database, 5_000));
  const counts = async () => {
    const parts = TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`);
    const [row] = await database.session.sql(`select ${parts.join(', ')}`);
    return row;
  };

  it('keep nothing of an import that breaks off', async () => {
    await database.empty(...TABLES);
    const { datasetCreationService, caller } = services();
    const batches = async function* () {
      yield Array.from({ length: 700 }, (_, at) => ({ input: `row ${at}` }));
      throw new Error('the file ends here');
    };
    const made = datasetCreationService.create(caller, newDataset(), { columns: [], batches: batches() });
    await expect(made).rejects.toThrow('the file ends here');
    expect(Object.values((await counts())!)).toEqual(TABLES.map(() => 0));
  });

  it('keep nothing of a dataset that is deleted', async () => {
    await database.empty(...TABLES);
    const { datasetCreationService, datasetService, caller, access } = services();
    const { id } = await datasetCreationService.create(caller, newDataset(), readRows([{ input: 'a' }]));
    access.authorizer.forget();
    await datasetService.delete(caller, id);
    expect(Object.values((await counts())!)).toEqual(TABLES.map(() => 0));
  });

  it('let two makers of one name have a name each when they take any', async () => {
    const { datasetCreationService, caller } = services();
    const facts = newDataset({ name: 'raced', append_suffix_if_duplicate: true });
    const made = await Promise.all(Array.from({ length: 4 }, () => datasetCreationService.create(caller, facts, readRows([]))));
    expect(made.map(({ name }) => name).sort()).toEqual(['raced', 'raced (1)', 'raced (2)', 'raced (3)']);
  });

  it('lose no edit of many who edit at once', async () => {
    const { datasetCreationService, datasetService, datasetEditService, datasetContentService, caller } = services();
    const { id } = await datasetCreationService.create(caller, newDataset(), readRows([{ input: 'first' }]));
    const row_ids = Array.from({ length: 12 }, () => randomUUID());
    await Promise.all(
      row_ids.map((row_id, at) => {
        const edit_type = at % 2 ? 'append_row' : 'prepend_row';
        return datasetEditService.edit(caller, id, ContentEdits.parse({ edits: [{ edit_type, row_id, values: {} }] }), undefined);
      }),
    );
    const content = await readContent(datasetContentService, caller, id, { starting_token: 0, limit: 100 });
    expect(content.rows.map(({ row_id }) => row_id)).toEqual(expect.arrayContaining(row_ids));
    expect(content.rows).toHaveLength(13);
    expect(await datasetService.get(caller, id)).toMatchObject({ current_version_index: 13, num_rows: 13 });
  });
});
