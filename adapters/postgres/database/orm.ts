import type { Socket } from 'node:net';
import { Migrator } from '@mikro-orm/migrations';
import { type InferKyselyDB, MikroORM, type Options } from '@mikro-orm/postgresql';
import { accessTables } from '../access/access-tables.ts';
import { auditTables } from '../access/audit-tables.ts';
import { collaboratorTables } from '../access/collaborator-tables.ts';
import { groupTables } from '../access/group-tables.ts';
import { loginTables } from '../access/login-tables.ts';
import { provisioningTables } from '../access/provisioning-tables.ts';
import { annotationTables } from '../annotation/annotation-tables.ts';
import { bookmarkTables } from '../bookmarks/bookmark-tables.ts';
import { commentTables } from '../comments/comment-tables.ts';
import { dataExportTables } from '../data-export/data-export-tables.ts';
import { datasetRuleTables } from '../datasets/dataset-rule-tables.ts';
import { datasetTables } from '../datasets/dataset-tables.ts';
import { importJobTables } from '../datasets/import-job-tables.ts';
import { experimentTables } from '../experiments/experiment-tables.ts';
import { fileTables } from '../files/file-tables.ts';
import { healthTables } from '../health/health-tables.ts';
import { insightTables } from '../insights/insight-tables.ts';
import { integrationTables } from '../integrations/integration-tables.ts';
import { jobTables } from '../jobs/job-tables.ts';
import { maskingTables } from '../masking/masking-tables.ts';
import { Schema } from '../migrations/m0001-schema.ts';
import { ModelPrices } from '../migrations/m0003-model-prices.ts';
import { SpanLogs } from '../migrations/m0005-span-logs.ts';
import { RatingColumns } from '../migrations/m0007-rating-columns.ts';
import { TemplateLabels } from '../migrations/m0009-template-labels.ts';
import { Masking } from '../migrations/m0011-masking.ts';
import { JudgeCalls } from '../migrations/m0016-judge-calls.ts';
import { Files } from '../migrations/m0017-files.ts';
import { AnnotationAssignments } from '../migrations/m0018-annotation-assignments.ts';
import { IngestBatches } from '../migrations/m0023-ingest-batches.ts';
import { NotificationRoutes } from '../migrations/m0025-notification-routes.ts';
import { SavedViews } from '../migrations/m0027-saved-views.ts';
import { Comments } from '../migrations/m0028-comments.ts';
import { UnpricedModels } from '../migrations/m0029-unpriced-models.ts';
import { CalibratedVersions } from '../migrations/m0030-calibrated-versions.ts';
import { JudgeDisagreement } from '../migrations/m0031-judge-disagreement.ts';
import { JudgeAudits } from '../migrations/m0032-judge-audits.ts';
import { GatesWithAudits } from '../migrations/m0033-gates-with-audits.ts';
import { FileHashes } from '../migrations/m0036-file-hashes.ts';
import { FilePuts } from '../migrations/m0037-file-puts.ts';
import { DatasetRules } from '../migrations/m0038-dataset-rules.ts';
import { ScoreCounts } from '../migrations/m0039-score-counts.ts';
import { MetricSeries } from '../migrations/m0042-metric-series.ts';
import { DataExports } from '../migrations/m0044-data-exports.ts';
import { ProvisionedResources } from '../migrations/m0046-provisioned-resources.ts';
import { Bookmarks } from '../migrations/m0051-bookmarks.ts';
import { PromptUsage } from '../migrations/m0053-prompt-usage.ts';
import { ApiKeyPurposes } from '../migrations/m0055-api-key-purpose.ts';
import { SpendingBudgets } from '../migrations/m0056-spending-budgets.ts';
import { FormerUploads } from '../migrations/m0057-former-uploads.ts';
import { JobErrorCodes } from '../migrations/m0059-job-error-codes.ts';
import { PromptTraces } from '../migrations/m0060-prompt-traces.ts';
import { ExportedSessions } from '../migrations/m0061-exported-sessions.ts';
import { modelTables } from '../models/model-tables.ts';
import { metricSeriesTables } from '../otel/metric-series-tables.ts';
import { spanLogTables } from '../otel/span-log-tables.ts';
import { projectTables } from '../projects/project-tables.ts';
import { promptUsageTables } from '../prompts/prompt-usage-tables.ts';
import { templateTables } from '../prompts/template-tables.ts';
import { ratingTables } from '../ratings/rating-tables.ts';
import { recordIndexTables } from '../record-index/record-index-tables.ts';
import { savedViewTables } from '../saved-views/saved-view-tables.ts';
import { judgeCallTables } from '../scorers/judge-call-tables.ts';
import { scoreTables } from '../scorers/score-tables.ts';
import { scorerTables } from '../scorers/scorer-tables.ts';
import { ingestBatchTables } from '../traces/batches/ingest-batch-tables.ts';
import { recordColumnTables } from '../traces/record-column-tables.ts';
import { retentionTables } from '../traces/retention-tables.ts';
import { sessionTables } from '../traces/session-tables.ts';
import { traceTables } from '../traces/trace-tables.ts';
import { alertTables } from '../trends/alert-tables.ts';
import { trendTables } from '../trends/trend-tables.ts';

/** Those of all capabilities: nothing is discovered. */
const TABLES = [
  ...accessTables,
  ...auditTables,
  ...collaboratorTables,
  ...groupTables,
  ...loginTables,
  ...provisioningTables,
  ...projectTables,
  ...recordColumnTables,
  ...fileTables,
  ...retentionTables,
  ...sessionTables,
  ...traceTables,
  ...ingestBatchTables,
  ...judgeCallTables,
  ...spanLogTables,
  ...metricSeriesTables,
  ...recordIndexTables,
  ...dataExportTables,
  ...ratingTables,
  ...annotationTables,
  ...scoreTables,
  ...scorerTables,
  ...integrationTables,
  ...modelTables,
  ...maskingTables,
  ...savedViewTables,
  ...bookmarkTables,
  ...commentTables,
  ...healthTables,
  ...datasetTables,
  ...datasetRuleTables,
  ...importJobTables,
  ...templateTables,
  ...promptUsageTables,
  ...experimentTables,
  ...alertTables,
  ...trendTables,
  ...insightTables,
  ...jobTables,
];

/** The tables as the query builder knows them. */
export type Tables = InferKyselyDB<(typeof TABLES)[number]>;

/** In the order in which they run. */
const MIGRATIONS = [
  Schema,
  ModelPrices,
  SpanLogs,
  RatingColumns,
  TemplateLabels,
  Masking,
  JudgeCalls,
  Files,
  AnnotationAssignments,
  IngestBatches,
  NotificationRoutes,
  SavedViews,
  Comments,
  UnpricedModels,
  CalibratedVersions,
  JudgeDisagreement,
  JudgeAudits,
  GatesWithAudits,
  FileHashes,
  FilePuts,
  DatasetRules,
  ScoreCounts,
  MetricSeries,
  DataExports,
  ProvisionedResources,
  Bookmarks,
  PromptUsage,
  ApiKeyPurposes,
  SpendingBudgets,
  FormerUploads,
  JobErrorCodes,
  PromptTraces,
  ExportedSessions,
];

export interface OrmSettings {
  readonly url: string;
  readonly poolSize: number;
  /** Where connections get their sockets from, for whoever wants to end them all. */
  readonly stream?: () => Socket;
  /** The address is of a pooler in transaction mode, which takes no settings of a session: they are the role's. See `checkPooler`. */
  readonly isPooled?: boolean;
  /** How long a connection may take to come about, in milliseconds; two seconds unless told otherwise. */
  readonly connectMs?: number;
}

const CONNECT_MS = 2_000;
const STATEMENT_MS = 30_000;

/** Session settings of every connection of the service. */
export const SESSION_SETTINGS = {
  timezone: 'UTC',
  statement_timeout: `${STATEMENT_MS}`,
  idle_in_transaction_session_timeout: '30000',
} as const;
export const sessionOptions = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** Opens the object-relational mapper. Entities and migrations are listed by hand: nothing is discovered. */
export function openOrm({ url, poolSize, stream, isPooled = false, connectMs = CONNECT_MS }: OrmSettings): Promise<MikroORM> {
  const options: Options = {
    clientUrl: url,
    entities: TABLES,
    extensions: [Migrator],
    // Silent: it would print to standard output, which is kept for what people read. Whoever runs it writes to the log.
    migrations: {
      migrationsList: MIGRATIONS,
      tableName: 'schema_migrations',
      snapshot: false,
      allOrNothing: true,
      silent: true,
    },
    // By default the mapper makes a database that is missing, also one that was dropped while it was at work.
    ensureDatabase: false,
    schemaGenerator: { skipTables: [/^pgboss\./], managementDbName: '' },
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      ...(!isPooled && { options: sessionOptions }),
      application_name: 'touchstone',
      ...(stream && { stream }),
    },
    validateRequired: false,
    debug: false,
  };
  return MikroORM.init(options);
}
