import { datasetStoreContract } from '../../../test/contracts/datasets/dataset-store.contract.ts';
import { openMemoryDatasets } from '../../../test/setup/dataset-stores.ts';

datasetStoreContract('memory', async () => openMemoryDatasets());
