import { PostgresExperimentStore } from '../../../adapters/postgres/experiments/postgres-experiment-store.ts';
import { PostgresRunOriginStore } from '../../../adapters/postgres/experiments/postgres-run-origin-store.ts';
import { PostgresRunScores } from '../../../adapters/postgres/experiments/postgres-run-scores.ts';
import { PostgresRunTagStore } from '../../../adapters/postgres/experiments/postgres-run-tag-store.ts';
import { PostgresRunTotals } from '../../../adapters/postgres/experiments/postgres-run-totals.ts';
import { PostgresIntegrationStore } from '../../../adapters/postgres/integrations/postgres-integration-store.ts';
import { PostgresProjectStore } from '../../../adapters/postgres/projects/postgres-project-store.ts';
import { PostgresTemplateStore } from '../../../adapters/postgres/prompts/postgres-template-store.ts';
import { datasetContentStoreContract } from '../../contracts/datasets/dataset-content-store.contract.ts';
import { experimentStoresContract } from '../../contracts/experiments/experiment-stores.contract.ts';
import { runOriginStoreContract } from '../../contracts/experiments/run-origin-store.contract.ts';
import { runScoresContract } from '../../contracts/experiments/run-scores.contract.ts';
import { insightScanContract } from '../../contracts/insights/insight-scan.contract.ts';
import { insightStoreContract } from '../../contracts/insights/insight-store.contract.ts';
import { integrationStoreContract } from '../../contracts/integrations/integration-store.contract.ts';
import { projectStoreContract } from '../../contracts/projects/project-store.contract.ts';
import { templateStoreContract } from '../../contracts/prompts/template-store.contract.ts';
import { alertStoreContract } from '../../contracts/trends/alert-store.contract.ts';
import { dashboardStoreContract } from '../../contracts/trends/dashboard-store.contract.ts';
import { notificationRouteStoreContract } from '../../contracts/trends/notification-route-store.contract.ts';
import { trendStoreContract } from '../../contracts/trends/trend-store.contract.ts';
import { openPostgresDatasets } from '../../setup/dataset-stores.ts';
import { openMigratedDatabase } from '../../setup/migrated-database.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';
import { sharedByFile } from '../../setup/shared-by-file.ts';

/**
 * The contracts about projects, experiments and trends, on PostgreSQL; those about access, datasets and jobs have files of their
 * own, with further tests. Contracts that say which tables they want empty share one database.
 */
const database = sharedByFile(openMigratedDatabase, async (opened) => (await opened).close());

alertStoreContract('PostgreSQL', openPostgresStores);
notificationRouteStoreContract('PostgreSQL', openPostgresStores);
dashboardStoreContract('PostgreSQL', openPostgresStores);
trendStoreContract('PostgreSQL', openPostgresStores);
insightStoreContract('PostgreSQL', openPostgresStores);
insightScanContract('PostgreSQL', openPostgresStores);
projectStoreContract('PostgreSQL', async () => {
  await (await database()).empty('projects', 'runs');
  return { port: new PostgresProjectStore(await database()), close: async () => {} };
});
integrationStoreContract('PostgreSQL', async () => {
  await (await database()).empty('integrations', 'integration_selections');
  return { port: new PostgresIntegrationStore(await database()), close: async () => {} };
});
datasetContentStoreContract('PostgreSQL', async () => ({
  port: openPostgresDatasets(await database()).datasetContentStore,
  close: async () => {},
}));
templateStoreContract('PostgreSQL', async () => {
  const { session, empty } = await database();
  await empty('templates', 'template_versions', 'template_labels', 'template_label_moves', 'template_projects', 'projects');
  const insert = `insert into projects (id, name, type, type_is_default, labels, created_at, updated_at)
    values ($1::uuid, ($1::uuid)::text, 'gen_ai', false, '[]', now(), now())`;
  const project = async (id: string, exists: boolean) =>
    void (await session.sql(exists ? insert : 'delete from projects where id = $1', [id]));
  return { port: { store: new PostgresTemplateStore({ session }), project }, close: async () => {} };
});
runScoresContract('PostgreSQL', async () => {
  const stores = await openPostgresStores();
  const { session } = stores.database;
  return { ...stores, runScores: new PostgresRunScores({ session }), runTotals: new PostgresRunTotals({ session }) };
});
runOriginStoreContract('PostgreSQL', async () => {
  const { session, close } = await openMigratedDatabase();
  const port = { projectStore: new PostgresProjectStore({ session }), runOriginStore: new PostgresRunOriginStore({ session }) };
  return { port, close };
});
experimentStoresContract('PostgreSQL', async () => {
  const { session, close } = await openMigratedDatabase();
  const port = {
    projectStore: new PostgresProjectStore({ session }),
    experimentStore: new PostgresExperimentStore({ session }),
    runTagStore: new PostgresRunTagStore({ session }),
  };
  return { port, close };
});
