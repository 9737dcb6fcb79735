import { datasetVersionsProperty } from '../../contracts/datasets/dataset-versions.property.ts';
import { openPostgresDatasets } from '../../setup/dataset-stores.ts';
import { openMigratedDatabase } from '../../setup/migrated-database.ts';

datasetVersionsProperty(
  'PostgreSQL',
  async () => {
    const database = await openMigratedDatabase();
    return { ...openPostgresDatasets(database), close: () => database.close() };
  },
  60,
);
