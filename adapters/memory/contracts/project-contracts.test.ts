import type { JobMessage } from '../../../core/jobs/job-store.ts';
import { accessStoreContract } from '../../../test/contracts/access/access-store.contract.ts';
import { auditStoreContract } from '../../../test/contracts/access/audit-store.contract.ts';
import { collaboratorStoreContract } from '../../../test/contracts/access/collaborator-store.contract.ts';
import { groupStoreContract } from '../../../test/contracts/access/group-store.contract.ts';
import { loginStoreContract } from '../../../test/contracts/access/login-store.contract.ts';
import { provisioningStoreContract } from '../../../test/contracts/access/provisioning-store.contract.ts';
import { datasetContentStoreContract } from '../../../test/contracts/datasets/dataset-content-store.contract.ts';
import { datasetStoreContract } from '../../../test/contracts/datasets/dataset-store.contract.ts';
import { datasetVersionsProperty } from '../../../test/contracts/datasets/dataset-versions.property.ts';
import { importProgressContract } from '../../../test/contracts/datasets/import-progress.contract.ts';
import { experimentStoresContract } from '../../../test/contracts/experiments/experiment-stores.contract.ts';
import { runOriginStoreContract } from '../../../test/contracts/experiments/run-origin-store.contract.ts';
import { runScoresContract } from '../../../test/contracts/experiments/run-scores.contract.ts';
import { integrationStoreContract } from '../../../test/contracts/integrations/integration-store.contract.ts';
import { jobStoreContract } from '../../../test/contracts/jobs/job-store.contract.ts';
import { projectStoreContract } from '../../../test/contracts/projects/project-store.contract.ts';
import { templateStoreContract } from '../../../test/contracts/prompts/template-store.contract.ts';
import { openMemoryDatasets } from '../../../test/setup/dataset-stores.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';
import { MemoryAccessStore } from '../access/memory-access-store.ts';
import { MemoryAuditStore } from '../access/memory-audit-store.ts';
import { MemoryCollaboratorStore } from '../access/memory-collaborator-store.ts';
import { MemoryGroupStore } from '../access/memory-group-store.ts';
import { MemoryLoginStore } from '../access/memory-login-store.ts';
import { MemoryProvisioningStore } from '../access/memory-provisioning-store.ts';
import { MemoryImportProgress } from '../datasets/memory-import-progress.ts';
import { MemoryExperimentStore } from '../experiments/memory-experiment-store.ts';
import { MemoryRunOriginStore } from '../experiments/memory-run-origin-store.ts';
import { MemoryRunScores } from '../experiments/memory-run-scores.ts';
import { MemoryRunTagStore } from '../experiments/memory-run-tag-store.ts';
import { MemoryRunTotals } from '../experiments/memory-run-totals.ts';
import { MemoryIntegrationStore } from '../integrations/memory-integration-store.ts';
import { MemoryJobStore } from '../jobs/memory-job-store.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryProjectStore } from '../projects/memory-project-store.ts';
import { runExistsIn } from '../projects/run-exists.ts';
import { MemoryTemplateStore } from '../prompts/memory-template-store.ts';
import type { MemoryTraceStore } from '../traces/memory-trace-store.ts';

/** The contracts about users, projects, datasets, prompts and experiments, on the stores in memory. */
accessStoreContract('memory', async () => ({
  port: new MemoryAccessStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
auditStoreContract('memory', async () => ({
  port: new MemoryAuditStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
collaboratorStoreContract('memory', async () => ({
  port: new MemoryCollaboratorStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
provisioningStoreContract('memory', async () => ({
  port: new MemoryProvisioningStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
groupStoreContract('memory', async () => ({
  port: new MemoryGroupStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
loginStoreContract('memory', async () => ({
  port: new MemoryLoginStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
integrationStoreContract('memory', async () => ({
  port: new MemoryIntegrationStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
projectStoreContract('memory', async () => ({
  port: new MemoryProjectStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
datasetStoreContract('memory', async () => openMemoryDatasets());
datasetContentStoreContract('memory', async () => ({ port: openMemoryDatasets().datasetContentStore, close: async () => {} }));
datasetVersionsProperty('memory', async () => openMemoryDatasets(), 200);
importProgressContract('memory', async () => ({
  port: new MemoryImportProgress(),
  transactions: new MemoryDatabase(),
  close: async () => {},
}));
templateStoreContract('memory', async () => {
  const projects = new Set<string>();
  const store = new MemoryTemplateStore({ database: new MemoryDatabase(), projectExists: async (id) => projects.has(id) });
  const project = async (id: string, exists: boolean) => void (exists ? projects.add(id) : projects.delete(id));
  return { port: { store, project }, close: async () => {} };
});
jobStoreContract('memory', async () => {
  const messages: JobMessage[] = [];
  const port = new MemoryJobStore({ database: new MemoryDatabase(), enqueue: (message) => messages.push(message) });
  return { port, transactions: new MemoryDatabase(), messages: async () => messages, close: async () => {} };
});
runOriginStoreContract('memory', async () => {
  const projectStore = new MemoryProjectStore({ database: new MemoryDatabase() });
  const runOriginStore = new MemoryRunOriginStore({ database: new MemoryDatabase(), projectStore });
  return { port: { projectStore, runOriginStore }, close: async () => {} };
});
experimentStoresContract('memory', async () => {
  const projectStore = new MemoryProjectStore({ database: new MemoryDatabase() });
  const runExists = runExistsIn(projectStore);
  const experimentStore = new MemoryExperimentStore({ database: new MemoryDatabase(), runExists });
  const runTagStore = new MemoryRunTagStore({ database: new MemoryDatabase(), runExists });
  return { port: { projectStore, experimentStore, runTagStore }, close: async () => {} };
});
runScoresContract('memory', async () => {
  const opened = openMemoryStores();
  const deps = { traceStore: opened.traceStore as MemoryTraceStore, scoreStore: opened.scoreStore };
  return { ...opened, runScores: new MemoryRunScores(deps), runTotals: new MemoryRunTotals(deps) };
});
