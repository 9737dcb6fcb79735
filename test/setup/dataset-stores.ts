import { MemoryDatasetContentStore } from '../../adapters/memory/datasets/memory-dataset-content-store.ts';
import { type KeptContent, MemoryDatasetStore } from '../../adapters/memory/datasets/memory-dataset-store.ts';
import { MemoryDatabase } from '../../adapters/memory/memory-database.ts';
import { MemoryProjectStore } from '../../adapters/memory/projects/memory-project-store.ts';
import { PostgresDatasetContentStore } from '../../adapters/postgres/datasets/postgres-dataset-content-store.ts';
import { PostgresDatasetStore } from '../../adapters/postgres/datasets/postgres-dataset-store.ts';
import { PostgresProjectStore } from '../../adapters/postgres/projects/postgres-project-store.ts';
import type { DatasetStores } from '../contracts/datasets/dataset-stores.ts';
import type { MigratedDatabase } from './migrated-database.ts';

/** Long enough for whoever waits for another to be through on a busy machine, short enough to wait for in vain. */
const PATIENCE_MS = 2_000;

export function openMemoryDatasets(patienceMs = PATIENCE_MS): DatasetStores {
  const database = new MemoryDatabase();
  const contents = database.table<string, KeptContent>();
  const projectStore = new MemoryProjectStore({ database });
  const projectExists = async (id: string) => (await projectStore.findProject(id)) !== undefined;
  return {
    datasetStore: new MemoryDatasetStore({ database, contents, projectExists }),
    datasetContentStore: new MemoryDatasetContentStore({ database, contents, patienceMs }),
    projectStore,
    transactions: database,
    close: async () => {},
  };
}

/** The database stays open when this is closed. */
export const openPostgresDatasets = ({ session }: MigratedDatabase, patienceMs = PATIENCE_MS): DatasetStores => ({
  datasetStore: new PostgresDatasetStore({ session }),
  datasetContentStore: new PostgresDatasetContentStore({ session, patienceMs }),
  projectStore: new PostgresProjectStore({ session }),
  transactions: session,
  close: async () => {},
});
