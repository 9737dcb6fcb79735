import { type asFunction, asValue } from 'awilix';
import { MemoryAccessStore } from '../../adapters/memory/access/memory-access-store.ts';
import { MemoryAuditStore } from '../../adapters/memory/access/memory-audit-store.ts';
import { MemoryCollaboratorStore } from '../../adapters/memory/access/memory-collaborator-store.ts';
import { MemoryGroupStore } from '../../adapters/memory/access/memory-group-store.ts';
import { MemoryLoginStore } from '../../adapters/memory/access/memory-login-store.ts';
import { MemoryDatasetContentStore } from '../../adapters/memory/datasets/memory-dataset-content-store.ts';
import { type KeptContent, MemoryDatasetStore } from '../../adapters/memory/datasets/memory-dataset-store.ts';
import { MemoryImportProgress } from '../../adapters/memory/datasets/memory-import-progress.ts';
import { MemoryExperimentStore } from '../../adapters/memory/experiments/memory-experiment-store.ts';
import { MemoryRunOriginStore } from '../../adapters/memory/experiments/memory-run-origin-store.ts';
import { MemoryRunScores } from '../../adapters/memory/experiments/memory-run-scores.ts';
import { MemoryRunTagStore } from '../../adapters/memory/experiments/memory-run-tag-store.ts';
import { MemoryRunTotals } from '../../adapters/memory/experiments/memory-run-totals.ts';
import { MemoryHealthStore } from '../../adapters/memory/health/memory-health-store.ts';
import { MemoryScorerGateStore } from '../../adapters/memory/health/memory-scorer-gate-store.ts';
import { MemoryTruthColumns } from '../../adapters/memory/health/memory-truth-columns.ts';
import { MemoryIntegrationStore } from '../../adapters/memory/integrations/memory-integration-store.ts';
import { MemoryJobStore } from '../../adapters/memory/jobs/memory-job-store.ts';
import { MemoryQueue } from '../../adapters/memory/memory-queue.ts';
import { MemoryTransactions } from '../../adapters/memory/memory-transactions.ts';
import { runExistsIn } from '../../adapters/memory/projects/run-exists.ts';
import { MemoryTemplateStore } from '../../adapters/memory/prompts/memory-template-store.ts';
import { MemoryRecordIndex } from '../../adapters/memory/record-index/memory-record-index.ts';
import { MemoryScorerStore } from '../../adapters/memory/scorers/memory-scorer-store.ts';
import { MemoryScorerUse } from '../../adapters/memory/scorers/memory-scorer-use.ts';
import { MemorySuspensionStore } from '../../adapters/memory/scorers/memory-suspension-store.ts';
import { MemoryValidationStore } from '../../adapters/memory/scorers/memory-validation-store.ts';
import type { Adapters } from '../../config/cradle.ts';
import type { JobMessage } from '../../core/jobs/job-store.ts';
import type { ScoringJob } from '../../core/scorers/scoring/scoring-queue.ts';
import { wireMemoryStores } from '../setup/memory-wiring.ts';

/** Memory stores that share what the stores of one database share. */
export function memoryAdapters(): { [Name in keyof Adapters]: ReturnType<typeof asFunction<Adapters[Name]>> } {
  const scoringQueue = new MemoryQueue<ScoringJob>(({ project_id }) => project_id);
  const modelScoringQueue = new MemoryQueue<ScoringJob>(({ project_id }) => project_id);
  const jobQueue = new MemoryQueue<JobMessage>(({ owner_id }) => owner_id ?? '');
  const contents = new Map<string, KeptContent>();
  const recordStores = wireMemoryStores({ clock: () => new Date(), enqueue: scoringQueue.enqueue });
  const { projectStore, traceStore, scoreStore, metricSettingsStore } = recordStores;
  const projectExists = async (id: string) => (await projectStore.findProject(id)) !== undefined;
  const runExists = runExistsIn(projectStore);
  const adapters: Adapters = {
    ...recordStores,
    transactions: new MemoryTransactions(),
    accessStore: new MemoryAccessStore(),
    loginStore: new MemoryLoginStore(),
    collaboratorStore: new MemoryCollaboratorStore(),
    groupStore: new MemoryGroupStore(),
    integrationStore: new MemoryIntegrationStore(),
    healthStore: new MemoryHealthStore(),
    truthColumns: new MemoryTruthColumns(),
    scorerGateStore: new MemoryScorerGateStore(),
    auditStore: new MemoryAuditStore(),
    runOriginStore: new MemoryRunOriginStore({ projectStore }),
    scorerStore: new MemoryScorerStore(),
    validationStore: new MemoryValidationStore(),
    scorerUse: new MemoryScorerUse({ projectStore, metricSettingsStore }),
    suspensionStore: new MemorySuspensionStore({ projectExists }),
    scoringQueue,
    modelScoringQueue,
    jobStore: new MemoryJobStore({ enqueue: jobQueue.enqueue }),
    jobQueue,
    writeQueue: { queuedBytes: 0 },
    recordIndex: new MemoryRecordIndex(),
    datasetStore: new MemoryDatasetStore({ contents, projectExists }),
    datasetContentStore: new MemoryDatasetContentStore({ contents }),
    importProgress: new MemoryImportProgress(),
    experimentStore: new MemoryExperimentStore({ runExists }),
    runTagStore: new MemoryRunTagStore({ runExists }),
    runScores: new MemoryRunScores({ traceStore, scoreStore }),
    runTotals: new MemoryRunTotals({ traceStore, scoreStore }),
    templateStore: new MemoryTemplateStore({ projectExists }),
  };
  return Object.fromEntries(Object.entries(adapters).map(([name, value]) => [name, asValue(value)])) as never;
}
