import { contentStoreContract } from '../../test/contracts/content-store.contract.ts';
import { datasetVersionsProperty } from '../../test/contracts/dataset-versions.property.ts';
import { openMemoryDatasets } from '../../test/setup/dataset-stores.ts';

contentStoreContract('memory', async () => ({ port: openMemoryDatasets().contentStore, close: async () => {} }));
datasetVersionsProperty('memory', async () => openMemoryDatasets(), 200);
