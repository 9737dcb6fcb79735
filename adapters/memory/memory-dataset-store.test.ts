import { datasetStoreContract } from '../../test/contracts/dataset-store.contract.ts';
import { openMemoryDatasets } from '../../test/setup/dataset-stores.ts';

datasetStoreContract('memory', async () => openMemoryDatasets());
