import { randomUUID } from 'node:crypto';
import { DatasetContentService } from '../../../core/datasets/dataset-content-service.ts';
import type { DatasetContentStore } from '../../../core/datasets/dataset-content-store.ts';
import { DatasetCreationService } from '../../../core/datasets/dataset-creation-service.ts';
import { DatasetDiffService } from '../../../core/datasets/dataset-diff-service.ts';
import { DatasetEditService } from '../../../core/datasets/dataset-edit-service.ts';
import { DatasetService } from '../../../core/datasets/dataset-service.ts';
import type { DatasetStore } from '../../../core/datasets/dataset-store.ts';
import type { Transactions } from '../../../core/kernel/ports.ts';
import type { ProjectStore } from '../../../core/projects/project-store.ts';
import { openMemoryAccess, someone } from '../../setup/access.ts';

/** The stores around datasets, on one database, and what closes it. */
export interface DatasetStores {
  readonly datasetStore: DatasetStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly projectStore: ProjectStore;
  readonly transactions: Transactions;
  close(): Promise<void>;
}

/** The services on these stores, for one user. Blocks are small, so that few rows fill several. */
export function datasetServices(stores: DatasetStores, datasetBlockSize = 4) {
  const access = openMemoryAccess();
  const traceStore = { findAll: async () => new Map() };
  const deps = { ...stores, ...access, traceStore, clock: () => new Date(), newId: () => randomUUID(), datasetBlockSize };
  return {
    caller: someone({ role: 'user' }),
    access,
    datasetCreationService: new DatasetCreationService(deps),
    datasetService: new DatasetService(deps),
    datasetContentService: new DatasetContentService(deps),
    datasetEditService: new DatasetEditService(deps),
    datasetDiffService: new DatasetDiffService(deps),
  };
}

export type DatasetServices = ReturnType<typeof datasetServices>;
