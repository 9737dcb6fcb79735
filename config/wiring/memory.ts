import { MemoryAccessStore } from '../../adapters/memory/access/memory-access-store.ts';
import { MemoryAuditStore } from '../../adapters/memory/access/memory-audit-store.ts';
import { MemoryCollaboratorStore } from '../../adapters/memory/access/memory-collaborator-store.ts';
import { MemoryGroupStore } from '../../adapters/memory/access/memory-group-store.ts';
import { MemoryLoginStore } from '../../adapters/memory/access/memory-login-store.ts';
import { MemoryProvisioningStore } from '../../adapters/memory/access/memory-provisioning-store.ts';
import { MemoryDatasetContentStore } from '../../adapters/memory/datasets/memory-dataset-content-store.ts';
import { type KeptContent, MemoryDatasetStore } from '../../adapters/memory/datasets/memory-dataset-store.ts';
import { MemoryImportProgress } from '../../adapters/memory/datasets/memory-import-progress.ts';
import { MemoryExperimentStore } from '../../adapters/memory/experiments/memory-experiment-store.ts';
import { MemoryRunOriginStore } from '../../adapters/memory/experiments/memory-run-origin-store.ts';
import { MemoryRunScores } from '../../adapters/memory/experiments/memory-run-scores.ts';
import { MemoryRunTagStore } from '../../adapters/memory/experiments/memory-run-tag-store.ts';
import { MemoryRunTotals } from '../../adapters/memory/experiments/memory-run-totals.ts';
import { MemoryHealthStore } from '../../adapters/memory/health/memory-health-store.ts';
import { MemoryJudgeAuditStore } from '../../adapters/memory/health/memory-judge-audit-store.ts';
import { MemoryScorerGateStore } from '../../adapters/memory/health/memory-scorer-gate-store.ts';
import { MemoryTruthColumns } from '../../adapters/memory/health/memory-truth-columns.ts';
import { MemoryIntegrationStore } from '../../adapters/memory/integrations/memory-integration-store.ts';
import { MemoryJobStore } from '../../adapters/memory/jobs/memory-job-store.ts';
import { MemoryDatabase } from '../../adapters/memory/memory-database.ts';
import { MemoryQueue } from '../../adapters/memory/memory-queue.ts';
import { runExistsIn } from '../../adapters/memory/projects/run-exists.ts';
import { MemoryTemplateStore } from '../../adapters/memory/prompts/memory-template-store.ts';
import { MemoryRecordIndex } from '../../adapters/memory/record-index/memory-record-index.ts';
import { memoryRecordStores } from '../../adapters/memory/record-stores.ts';
import { MemoryScorerStore } from '../../adapters/memory/scorers/memory-scorer-store.ts';
import { MemoryScorerUse } from '../../adapters/memory/scorers/memory-scorer-use.ts';
import { MemoryScoringBacklog } from '../../adapters/memory/scorers/memory-scoring-backlog.ts';
import { MemorySuspensionStore } from '../../adapters/memory/scorers/memory-suspension-store.ts';
import { MemoryValidationStore } from '../../adapters/memory/scorers/memory-validation-store.ts';
import type { JobMessage, JobQueue } from '../../core/jobs/job-store.ts';
import type { Transactions } from '../../core/kernel/ports.ts';
import type { ScoringJob, ScoringQueue } from '../../core/scorers/scoring/scoring-queue.ts';
import type { WriteQueue } from '../../core/traces/write-queue.ts';
import type { Adapters, Registrations } from '../cradle.ts';

import { factory, value } from './registration.ts';

/**
 * The stores and queues in the memory of this process, for tests and trials: what one service keeps, and nobody else sees.
 * Each call makes new ones, which are empty.
 */
export function memoryAdapters(): Registrations<Adapters> {
  const database = new MemoryDatabase();
  const queues = memoryQueues();
  const stores = memoryStores(database, queues);
  const inStatements = Object.entries(stores).map(([name, store]) => [name, value(database.inStatements<object>(store))]);
  return {
    ...(Object.fromEntries(inStatements) as Registrations<typeof stores>),
    transactions: value<Transactions>(database),
    // Like on PostgreSQL it belongs to no transaction: an import is watched while the one that stores its rows is open.
    importProgress: factory(() => new MemoryImportProgress()),
    writeQueue: value<WriteQueue>({ queuedBytes: 0 }),
    scoringQueue: value<ScoringQueue>(queues.scoring),
    modelScoringQueue: value<ScoringQueue>(queues.modelScoring),
    jobQueue: value<JobQueue>(queues.jobs),
  };
}

const memoryQueues = () => ({
  scoring: new MemoryQueue<ScoringJob>(({ project_id }) => project_id),
  modelScoring: new MemoryQueue<ScoringJob>(({ project_id }) => project_id),
  jobs: new MemoryQueue<JobMessage>(({ owner_id }) => owner_id ?? ''),
});

function memoryStores(database: MemoryDatabase, queues: ReturnType<typeof memoryQueues>) {
  const contents = database.table<string, KeptContent>();
  const enqueue = (job: ScoringJob) => database.afterCommit(() => queues.scoring.enqueue(job));
  const recordStores = memoryRecordStores({ database, clock: () => new Date(), enqueue });
  const { projectStore, traceStore, scoreStore, metricSettingsStore } = recordStores;
  const projectExists = async (id: string) => (await projectStore.findProject(id)) !== undefined;
  const runExists = runExistsIn(projectStore);
  return {
    ...recordStores,
    accessStore: new MemoryAccessStore({ database }),
    loginStore: new MemoryLoginStore({ database }),
    collaboratorStore: new MemoryCollaboratorStore({ database }),
    groupStore: new MemoryGroupStore({ database }),
    provisioningStore: new MemoryProvisioningStore({ database }),
    integrationStore: new MemoryIntegrationStore({ database }),
    healthStore: new MemoryHealthStore({ database }),
    truthColumns: new MemoryTruthColumns({ database }),
    // Nothing is late here: there is one place that is read and written.
    reportScan: recordStores.recordScan,
    scorerGateStore: new MemoryScorerGateStore({ database }),
    judgeAuditStore: new MemoryJudgeAuditStore({ database }),
    auditStore: new MemoryAuditStore({ database }),
    runOriginStore: new MemoryRunOriginStore({ database, projectStore }),
    scorerStore: new MemoryScorerStore({ database }),
    validationStore: new MemoryValidationStore({ database }),
    scorerUse: new MemoryScorerUse({ projectStore, metricSettingsStore }),
    scoringBacklog: new MemoryScoringBacklog({ database, queues: [queues.scoring, queues.modelScoring] }),
    suspensionStore: new MemorySuspensionStore({ database, projectExists }),
    jobStore: new MemoryJobStore({
      database,
      enqueue: (message) => database.afterCommit(() => queues.jobs.enqueue(message)),
    }),
    recordIndex: new MemoryRecordIndex(),
    datasetStore: new MemoryDatasetStore({ database, contents, projectExists }),
    datasetContentStore: new MemoryDatasetContentStore({ database, contents }),
    experimentStore: new MemoryExperimentStore({ database, runExists }),
    runTagStore: new MemoryRunTagStore({ database, runExists }),
    runScores: new MemoryRunScores({ traceStore, scoreStore }),
    runTotals: new MemoryRunTotals({ traceStore, scoreStore }),
    templateStore: new MemoryTemplateStore({ database, projectExists }),
  };
}
