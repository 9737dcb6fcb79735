import { randomUUID } from 'node:crypto';
import { ContentService } from '../../core/datasets/content-service.ts';
import type { ContentStore } from '../../core/datasets/content-store.ts';
import { DatasetService } from '../../core/datasets/dataset-service.ts';
import type { DatasetStore } from '../../core/datasets/dataset-store.ts';
import { DiffService } from '../../core/datasets/diff-service.ts';
import { EditService } from '../../core/datasets/edit-service.ts';
import type { Transactions } from '../../core/kernel/ports.ts';
import type { ProjectStore } from '../../core/projects/project-store.ts';
import { openMemoryAccess, someone } from '../setup/access.ts';

/** The stores around datasets, on one database, and what closes it. */
export interface DatasetStores {
  readonly datasetStore: DatasetStore;
  readonly contentStore: ContentStore;
  readonly projectStore: ProjectStore;
  readonly transactions: Transactions;
  close(): Promise<void>;
}

/** The services on these stores, for one user. Blocks are small, so that few rows fill several. */
export function datasetServices(stores: DatasetStores, blockSize = 4) {
  const access = openMemoryAccess();
  const traceStore = { find: async () => undefined };
  const deps = { ...stores, ...access, traceStore, clock: () => new Date(), newId: () => randomUUID(), blockSize };
  return {
    caller: someone({ role: 'user' }),
    access,
    datasetService: new DatasetService(deps),
    contentService: new ContentService(deps),
    editService: new EditService(deps),
    diffService: new DiffService(deps),
  };
}

export type DatasetServices = ReturnType<typeof datasetServices>;
