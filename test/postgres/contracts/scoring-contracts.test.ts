import { PostgresHealthStore } from '../../../adapters/postgres/health/postgres-health-store.ts';
import { PostgresJudgeAuditStore } from '../../../adapters/postgres/health/postgres-judge-audit-store.ts';
import { PostgresScorerGateStore } from '../../../adapters/postgres/health/postgres-scorer-gate-store.ts';
import { PostgresShadowStore } from '../../../adapters/postgres/health/postgres-shadow-store.ts';
import { PostgresTruthColumns } from '../../../adapters/postgres/health/postgres-truth-columns.ts';
import { PostgresScoreStore } from '../../../adapters/postgres/scorers/postgres-score-store.ts';
import { PostgresScorerStore } from '../../../adapters/postgres/scorers/postgres-scorer-store.ts';
import { PostgresScorerUse } from '../../../adapters/postgres/scorers/postgres-scorer-use.ts';
import { PostgresSuspensionStore } from '../../../adapters/postgres/scorers/postgres-suspension-store.ts';
import { PostgresValidationStore } from '../../../adapters/postgres/scorers/postgres-validation-store.ts';
import { dataExportStoreContract } from '../../contracts/data-export/data-export-store.contract.ts';
import {
  databaseFileContentsContract,
  fileContentsContract,
  listedFileContentsContract,
  openFileContents,
} from '../../contracts/files/file-contents.contract.ts';
import { fileStoreContract } from '../../contracts/files/file-store.contract.ts';
import { healthStoresContract } from '../../contracts/health/health-stores.contract.ts';
import { shadowStoreContract } from '../../contracts/health/shadow-store.contract.ts';
import { maskingStoreContract } from '../../contracts/masking/masking-store.contract.ts';
import { answerCacheContract } from '../../contracts/models/answer-cache.contract.ts';
import { priceStoreContract } from '../../contracts/models/price-store.contract.ts';
import { spendingStoreContract } from '../../contracts/models/spending-store.contract.ts';
import { savedViewStoreContract } from '../../contracts/saved-views/saved-view-store.contract.ts';
import { judgeCallStoreContract } from '../../contracts/scorers/judge-call-store.contract.ts';
import { metricSettingsStoreContract } from '../../contracts/scorers/metric-settings-store.contract.ts';
import { scoreStoreContract } from '../../contracts/scorers/score-store.contract.ts';
import { scorerStoreContract } from '../../contracts/scorers/scorer-store.contract.ts';
import { scorerUseContract } from '../../contracts/scorers/scorer-use.contract.ts';
import { scoresBelowContract } from '../../contracts/scorers/scores-below.contract.ts';
import { suspensionStoreContract } from '../../contracts/scorers/suspension-store.contract.ts';
import { validationStoreContract } from '../../contracts/scorers/validation-store.contract.ts';
import { openMigratedDatabase } from '../../setup/migrated-database.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';
import { sharedByFile } from '../../setup/shared-by-file.ts';

/**
 * The contracts about scorers, scores and models, on PostgreSQL; those about idle sessions, presets and queues have files of
 * their own, with further tests. Contracts that say which tables they want empty share one database.
 */
const database = sharedByFile(openMigratedDatabase, async (opened) => (await opened).close());

scoreStoreContract('PostgreSQL', openPostgresStores);
judgeCallStoreContract('PostgreSQL', openPostgresStores);
metricSettingsStoreContract('PostgreSQL', openPostgresStores);
scoresBelowContract('PostgreSQL', openPostgresStores);
answerCacheContract('PostgreSQL', openPostgresStores);
priceStoreContract('PostgreSQL', openPostgresStores);
maskingStoreContract('PostgreSQL', openPostgresStores);
dataExportStoreContract('PostgreSQL', openPostgresStores);
savedViewStoreContract('PostgreSQL', openPostgresStores);
fileStoreContract('PostgreSQL', openPostgresStores);
fileContentsContract('PostgreSQL', openFileContents(openPostgresStores));
databaseFileContentsContract('PostgreSQL', openPostgresStores);
listedFileContentsContract('PostgreSQL', openFileContents(openPostgresStores));
spendingStoreContract('PostgreSQL', openPostgresStores);
scorerStoreContract('PostgreSQL', async () => {
  await (await database()).empty('scorers', 'scorer_versions');
  return { port: new PostgresScorerStore(await database()), close: async () => {} };
});
validationStoreContract('PostgreSQL', async () => {
  await (await database()).empty('scorer_validations');
  return { port: new PostgresValidationStore(await database()), close: async () => {} };
});
scorerUseContract('PostgreSQL', async () => {
  const stores = await openPostgresStores();
  return { ...stores, scorerUse: new PostgresScorerUse(stores.database) };
});
suspensionStoreContract('PostgreSQL', async () => {
  const { projectStore, database, close } = await openPostgresStores();
  return { port: { suspensionStore: new PostgresSuspensionStore(database), projectStore }, close };
});
shadowStoreContract('PostgreSQL', async () => {
  const stores = await openPostgresStores();
  const { session } = stores.database;
  const shadowScoreStore = new PostgresScoreStore({ session, of: 'shadows' });
  return { ...stores, shadowScoreStore, shadowStore: new PostgresShadowStore({ session }) };
});
healthStoresContract('PostgreSQL', async () => {
  const { session, close } = await openMigratedDatabase();
  const port = {
    healthStore: new PostgresHealthStore({ session }),
    truthColumns: new PostgresTruthColumns({ session }),
    scorerGateStore: new PostgresScorerGateStore({ session }),
    judgeAuditStore: new PostgresJudgeAuditStore({ session }),
  };
  return { port, close };
});
