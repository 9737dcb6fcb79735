import { datasetContentStoreContract } from '../../../test/contracts/datasets/dataset-content-store.contract.ts';
import { datasetVersionsProperty } from '../../../test/contracts/datasets/dataset-versions.property.ts';
import { openMemoryDatasets } from '../../../test/setup/dataset-stores.ts';

datasetContentStoreContract('memory', async () => ({ port: openMemoryDatasets().datasetContentStore, close: async () => {} }));
datasetVersionsProperty('memory', async () => openMemoryDatasets(), 200);
