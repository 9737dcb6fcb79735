import type { Socket } from 'node:net';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { ApiKeyTable, OrganizationTable, UserIdentityTable, UserTable } from '../access/access-tables.ts';
import { AuditHeadTable, AuditLogTable } from '../access/audit-tables.ts';
import { GroupCollaboratorTable, SharedObjectTable, UserCollaboratorTable } from '../access/collaborator-tables.ts';
import { GroupMemberTable, GroupTable } from '../access/group-tables.ts';
import {
  EndedSessionTable,
  LoginAttemptTable,
  RefreshTokenTable,
  UsedIdTokenTable,
  VerificationCodeTable,
} from '../access/login-tables.ts';
import {
  DatasetBlockTable,
  DatasetManifestTable,
  DatasetProjectTable,
  DatasetRowTable,
  DatasetTable,
  DatasetVersionTable,
} from '../datasets/dataset-tables.ts';
import { ImportJobTable } from '../datasets/import-job-tables.ts';
import { ExperimentTable, RunTagTable } from '../experiments/experiment-tables.ts';
import { HealthScoreTable, ScorerGateTable, TruthColumnTable } from '../health/health-tables.ts';
import { InsightsSettingsTable, InsightTable } from '../insights/insight-tables.ts';
import { IntegrationSelectionTable, IntegrationTable } from '../integrations/integration-tables.ts';
import { JobTable } from '../jobs/job-tables.ts';
import { Schema } from '../migrations/m0001-schema.ts';
import { JudgeAnswerTable, ModelSpendingTable } from '../models/model-tables.ts';
import { ProjectFileTable, ProjectTable, RunOriginTable, RunTable } from '../projects/project-tables.ts';
import { TemplateProjectTable, TemplateTable, TemplateVersionTable } from '../prompts/template-tables.ts';
import {
  AnnotationItemTable,
  AnnotationQueueTable,
  AnnotationTable,
  AnnotationTemplateTable,
  FeedbackTable,
} from '../ratings/rating-tables.ts';
import {
  HourlyNumberTable,
  IndexedRecordTable,
  RecordChangeTable,
  RecordNumberTable,
  RunCountTable,
  WordBlockTable,
  WordPostingTable,
} from '../record-index/record-index-tables.ts';
import {
  ChangedSessionTable,
  ScorerSuspensionTable,
  ScoreTable,
  SessionScoreTable,
  ShadowScoreTable,
  ShadowTrialTable,
} from '../scorers/score-tables.ts';
import { ScorerTable, ScorerValidationTable, ScorerVersionTable } from '../scorers/scorer-tables.ts';
import { RecordColumnTable } from '../traces/record-column-tables.ts';
import { RetentionRuleTable } from '../traces/retention-tables.ts';
import { SessionTable } from '../traces/session-tables.ts';
import { RecordTable } from '../traces/trace-tables.ts';
import {
  AlertTable,
  AlertTransitionTable,
  DueWorkTable,
  WebhookDeliveryTable,
  WebhookSecretTable,
} from '../trends/alert-tables.ts';
import { TrendDashboardTable } from '../trends/trend-tables.ts';

export interface OrmSettings {
  readonly url: string;
  readonly poolSize: number;
  /** Where connections get their sockets from, for whoever wants to end them all. */
  readonly stream?: () => Socket;
  /** How long a connection may take to come about, in milliseconds; two seconds unless told otherwise. */
  readonly connectMs?: number;
}

const CONNECT_MS = 2_000;
const STATEMENT_MS = 30_000;

/** What every connection of the service asks of the server. */
export const sessionOptions = `-c timezone=UTC -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=30000`;

/** Opens the object-relational mapper. Entities and migrations are listed by hand: nothing is discovered. */
export function openOrm({ url, poolSize, stream, connectMs = CONNECT_MS }: OrmSettings): Promise<MikroORM> {
  const options: Options = {
    clientUrl: url,
    entities: [
      AlertTable,
      AlertTransitionTable,
      AnnotationItemTable,
      AnnotationQueueTable,
      AnnotationTable,
      AnnotationTemplateTable,
      ApiKeyTable,
      FeedbackTable,
      AuditHeadTable,
      AuditLogTable,
      DatasetBlockTable,
      DatasetManifestTable,
      DatasetProjectTable,
      DatasetRowTable,
      DatasetTable,
      DatasetVersionTable,
      DueWorkTable,
      EndedSessionTable,
      ExperimentTable,
      GroupCollaboratorTable,
      GroupMemberTable,
      GroupTable,
      HealthScoreTable,
      InsightsSettingsTable,
      InsightTable,
      IntegrationSelectionTable,
      IntegrationTable,
      ImportJobTable,
      JobTable,
      LoginAttemptTable,
      OrganizationTable,
      ProjectFileTable,
      ProjectTable,
      HourlyNumberTable,
      RecordChangeTable,
      RecordColumnTable,
      RecordNumberTable,
      IndexedRecordTable,
      WordBlockTable,
      WordPostingTable,
      RecordTable,
      RetentionRuleTable,
      RunCountTable,
      RefreshTokenTable,
      RunOriginTable,
      RunTable,
      RunTagTable,
      ScorerGateTable,
      ScorerSuspensionTable,
      ScorerTable,
      ScorerValidationTable,
      ScorerVersionTable,
      ScoreTable,
      SessionScoreTable,
      JudgeAnswerTable,
      ModelSpendingTable,
      ChangedSessionTable,
      SessionTable,
      ShadowScoreTable,
      ShadowTrialTable,
      SharedObjectTable,
      TemplateProjectTable,
      TemplateTable,
      TemplateVersionTable,
      TruthColumnTable,
      TrendDashboardTable,
      UsedIdTokenTable,
      UserCollaboratorTable,
      UserIdentityTable,
      UserTable,
      VerificationCodeTable,
      WebhookDeliveryTable,
      WebhookSecretTable,
    ],
    extensions: [Migrator],
    // Silent: it would print to standard output, which is kept for what people read. Who runs it tells the log.
    migrations: {
      migrationsList: [Schema],
      tableName: 'schema_migrations',
      snapshot: false,
      allOrNothing: true,
      silent: true,
    },
    schemaGenerator: { skipTables: [/^pgboss\./] },
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      options: sessionOptions,
      application_name: 'touchstone',
      ...(stream && { stream }),
    },
    validateRequired: false,
    debug: false,
  };
  return MikroORM.init(options);
}
