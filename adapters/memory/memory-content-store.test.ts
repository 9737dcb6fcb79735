import { datasetVersionsProperty } from '../../test/contracts/dataset-versions.property.ts';
import { openMemoryDatasets } from '../../test/setup/dataset-stores.ts';

datasetVersionsProperty('memory', async () => openMemoryDatasets(), 200);
