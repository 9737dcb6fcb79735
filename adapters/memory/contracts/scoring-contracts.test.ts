import {
  databaseFileContentsContract,
  fileContentsContract,
  listedFileContentsContract,
  openFileContents,
} from '../../../test/contracts/files/file-contents.contract.ts';
import { fileStoreContract } from '../../../test/contracts/files/file-store.contract.ts';
import { healthStoresContract } from '../../../test/contracts/health/health-stores.contract.ts';
import { shadowStoreContract } from '../../../test/contracts/health/shadow-store.contract.ts';
import { maskingStoreContract } from '../../../test/contracts/masking/masking-store.contract.ts';
import { answerCacheContract } from '../../../test/contracts/models/answer-cache.contract.ts';
import { priceStoreContract } from '../../../test/contracts/models/price-store.contract.ts';
import { spendingStoreContract } from '../../../test/contracts/models/spending-store.contract.ts';
import { savedViewStoreContract } from '../../../test/contracts/saved-views/saved-view-store.contract.ts';
import { idleSessionsContract } from '../../../test/contracts/scorers/idle-sessions.contract.ts';
import { judgeCallStoreContract } from '../../../test/contracts/scorers/judge-call-store.contract.ts';
import { metricSettingsStoreContract } from '../../../test/contracts/scorers/metric-settings-store.contract.ts';
import { presetSeedingContract } from '../../../test/contracts/scorers/preset-seeding.contract.ts';
import { scoreStoreContract } from '../../../test/contracts/scorers/score-store.contract.ts';
import { scorerStoreContract } from '../../../test/contracts/scorers/scorer-store.contract.ts';
import { scorerUseContract } from '../../../test/contracts/scorers/scorer-use.contract.ts';
import { scoresBelowContract } from '../../../test/contracts/scorers/scores-below.contract.ts';
import { suspensionStoreContract } from '../../../test/contracts/scorers/suspension-store.contract.ts';
import { validationStoreContract } from '../../../test/contracts/scorers/validation-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';
import { MemoryHealthStore } from '../health/memory-health-store.ts';
import { MemoryJudgeAuditStore } from '../health/memory-judge-audit-store.ts';
import { MemoryScorerGateStore } from '../health/memory-scorer-gate-store.ts';
import { MemoryTruthColumns } from '../health/memory-truth-columns.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryScorerStore } from '../scorers/memory-scorer-store.ts';
import { MemoryScorerUse } from '../scorers/memory-scorer-use.ts';
import { MemorySuspensionStore } from '../scorers/memory-suspension-store.ts';
import { MemoryValidationStore } from '../scorers/memory-validation-store.ts';

/** The contracts about scorers, scores and models, on the stores in memory. */
const stores = async () => openMemoryStores();

scoreStoreContract('memory', stores);
judgeCallStoreContract('memory', stores);
metricSettingsStoreContract('memory', stores);
scoresBelowContract('memory', stores);
idleSessionsContract('memory', stores);
shadowStoreContract('memory', stores);
answerCacheContract('memory', stores);
priceStoreContract('memory', stores);
maskingStoreContract('memory', stores);
savedViewStoreContract('memory', stores);
fileStoreContract('memory', stores);
fileContentsContract('memory', openFileContents(stores));
databaseFileContentsContract('memory', stores);
listedFileContentsContract('memory', openFileContents(stores));
spendingStoreContract('memory', stores);
scorerStoreContract('memory', async () => ({
  port: new MemoryScorerStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
validationStoreContract('memory', async () => ({
  port: new MemoryValidationStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
scorerUseContract('memory', async () => {
  const opened = openMemoryStores();
  return { ...opened, scorerUse: new MemoryScorerUse(opened) };
});
suspensionStoreContract('memory', async () => {
  const { projectStore, close } = openMemoryStores();
  const projectExists = async (id: string) => (await projectStore.findProject(id)) !== undefined;
  const suspensionStore = new MemorySuspensionStore({ database: new MemoryDatabase(), projectExists });
  return { port: { suspensionStore, projectStore }, close };
});
presetSeedingContract('memory', async () => ({
  port: { scorerStore: new MemoryScorerStore({ database: new MemoryDatabase() }), transactions: new MemoryDatabase() },
  close: async () => {},
}));
healthStoresContract('memory', async () => ({
  port: {
    healthStore: new MemoryHealthStore({ database: new MemoryDatabase() }),
    truthColumns: new MemoryTruthColumns({ database: new MemoryDatabase() }),
    scorerGateStore: new MemoryScorerGateStore({ database: new MemoryDatabase() }),
    judgeAuditStore: new MemoryJudgeAuditStore({ database: new MemoryDatabase() }),
  },
  close: async () => {},
}));
