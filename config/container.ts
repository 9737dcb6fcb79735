import { createHash, randomUUID } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { type AwilixContainer, asFunction, asValue, createContainer, type Resolver } from 'awilix';
import { StreamingRowFileReader } from '../adapters/files/streaming-row-file-reader.ts';
import { accessRoutes } from '../adapters/http/access-routes.ts';
import { auditRoutes } from '../adapters/http/audit-routes.ts';
import { collaboratorRoleRoutes, collaboratorRoutes } from '../adapters/http/collaborator-routes.ts';
import { columnRoutes } from '../adapters/http/column-routes.ts';
import { datasetContentRoutes } from '../adapters/http/dataset-content-routes.ts';
import { datasetFileRoutes } from '../adapters/http/dataset-file-routes.ts';
import { datasetRoutes } from '../adapters/http/dataset-routes.ts';
import { datasetVersionRoutes } from '../adapters/http/dataset-version-routes.ts';
import { emailRoutes } from '../adapters/http/email-routes.ts';
import { exportRoutes } from '../adapters/http/export-routes.ts';
import { groupRoutes } from '../adapters/http/group-routes.ts';
import { integrationRoutes } from '../adapters/http/integration-routes.ts';
import { llmIntegrationRoutes } from '../adapters/http/llm-integration-routes.ts';
import { logStreamRoutes } from '../adapters/http/log-stream-routes.ts';
import { metricsSearchRoutes } from '../adapters/http/metrics-search-routes.ts';
import { projectRoutes } from '../adapters/http/project-routes.ts';
import { recomputeRoutes } from '../adapters/http/recompute-routes.ts';
import { recordRemovalRoutes } from '../adapters/http/record-removal-routes.ts';
import { retentionRoutes } from '../adapters/http/retention-routes.ts';
import type { Route } from '../adapters/http/route.ts';
import { scorerRoutes } from '../adapters/http/scorer-routes.ts';
import { sessionRoutes } from '../adapters/http/session-routes.ts';
import { systemRoutes } from '../adapters/http/system-routes.ts';
import { traceGraphRoutes } from '../adapters/http/trace-graph-routes.ts';
import { traceRoutes } from '../adapters/http/trace-routes.ts';
import { userRoutes } from '../adapters/http/user-routes.ts';
import { explainIssues } from '../adapters/http/validation.ts';
import { WireOtlpCodec } from '../adapters/otlp/wire-otlp-codec.ts';
import type { GroupWriter } from '../adapters/postgres/group-writer.ts';
import type { PgBossQueue } from '../adapters/postgres/pg-boss-queue.ts';
import { PostgresAccessStore } from '../adapters/postgres/postgres-access-store.ts';
import { PostgresAuditStore } from '../adapters/postgres/postgres-audit-store.ts';
import { PostgresCollaboratorStore } from '../adapters/postgres/postgres-collaborator-store.ts';
import { PostgresColumnStore } from '../adapters/postgres/postgres-column-store.ts';
import { PostgresDatasetContentStore } from '../adapters/postgres/postgres-dataset-content-store.ts';
import { PostgresDatasetStore } from '../adapters/postgres/postgres-dataset-store.ts';
import { PostgresGroupStore } from '../adapters/postgres/postgres-group-store.ts';
import { PostgresIntegrationStore } from '../adapters/postgres/postgres-integration-store.ts';
import { PostgresLoginStore } from '../adapters/postgres/postgres-login-store.ts';
import { PostgresMetricSettingsStore } from '../adapters/postgres/postgres-metric-settings-store.ts';
import { PostgresOtelTraceStore } from '../adapters/postgres/postgres-otel-trace-store.ts';
import { PostgresProjectStore } from '../adapters/postgres/postgres-project-store.ts';
import { PostgresQuietTraces } from '../adapters/postgres/postgres-quiet-traces.ts';
import { PostgresRecordIndex } from '../adapters/postgres/postgres-record-index.ts';
import { PostgresRecordRemoval } from '../adapters/postgres/postgres-record-removal.ts';
import { PostgresRecordScan } from '../adapters/postgres/postgres-record-scan.ts';
import { PostgresRecordSessionStore } from '../adapters/postgres/postgres-record-session-store.ts';
import { PostgresRescoring } from '../adapters/postgres/postgres-rescoring.ts';
import { PostgresRetentionStore } from '../adapters/postgres/postgres-retention-store.ts';
import { PostgresRunDirectory } from '../adapters/postgres/postgres-run-directory.ts';
import { PostgresRunMetrics } from '../adapters/postgres/postgres-run-metrics.ts';
import { PostgresScoreStore } from '../adapters/postgres/postgres-score-store.ts';
import { PostgresScorerStore } from '../adapters/postgres/postgres-scorer-store.ts';
import { PostgresSession } from '../adapters/postgres/postgres-session.ts';
import { PostgresTraceStore } from '../adapters/postgres/postgres-trace-store.ts';
import { PostgresTrendStore } from '../adapters/postgres/postgres-trend-store.ts';
import { ForkedSandbox } from '../adapters/sandbox/forked-sandbox.ts';
import { DEFAULT_SANDBOX_SETTINGS } from '../adapters/sandbox/sandbox-settings.ts';
import { Argon2Passwords } from '../adapters/security/argon2-passwords.ts';
import { JwtTokenIssuer } from '../adapters/security/jwt-token-issuer.ts';
import { NodeSecrets } from '../adapters/security/node-secrets.ts';
import { OidcIdentityVerifier, type OidcProviders } from '../adapters/security/oidc-identity-verifier.ts';
import { AccessService } from '../core/access/access-service.ts';
import type { AccessStore } from '../core/access/access-store.ts';
import { ApiKeyService } from '../core/access/api-key-service.ts';
import { AttemptLimiter } from '../core/access/attempt-limiter.ts';
import { AuditService } from '../core/access/audit-service.ts';
import type { AuditStore } from '../core/access/audit-store.ts';
import { AuditTrail } from '../core/access/audit-trail.ts';
import { Authorizer } from '../core/access/authorizer.ts';
import { CollaboratorService } from '../core/access/collaborator-service.ts';
import type { CollaboratorStore } from '../core/access/collaborator-store.ts';
import { CredentialCheck } from '../core/access/credential-check.ts';
import { EmailVerificationService } from '../core/access/email-verification-service.ts';
import { GroupMemberService } from '../core/access/group-member-service.ts';
import { GroupService } from '../core/access/group-service.ts';
import type { GroupStore } from '../core/access/group-store.ts';
import type { IdentityVerifier, PasswordHasher, Secrets, TokenIssuer } from '../core/access/identity.ts';
import { DEFAULT_LOGIN_LIMITS, LoginLimiter, type LoginLimits } from '../core/access/login-limiter.ts';
import { LoginService } from '../core/access/login-service.ts';
import type { LoginStore } from '../core/access/login-store.ts';
import type { Mailer } from '../core/access/mailer.ts';
import { RecentPrincipals } from '../core/access/recent-principals.ts';
import { SocialLogin } from '../core/access/social-login.ts';
import { UserRemoval } from '../core/access/user-removal.ts';
import { UserService } from '../core/access/user-service.ts';
import { VerificationMails } from '../core/access/verification-mails.ts';
import { BLOCK_SIZE } from '../core/datasets/block.ts';
import { DatasetContentService } from '../core/datasets/dataset-content-service.ts';
import type { DatasetContentStore } from '../core/datasets/dataset-content-store.ts';
import { DatasetCreationService } from '../core/datasets/dataset-creation-service.ts';
import { DatasetDiffService } from '../core/datasets/dataset-diff-service.ts';
import { DatasetEditService } from '../core/datasets/dataset-edit-service.ts';
import { DatasetFileService } from '../core/datasets/dataset-file-service.ts';
import { DatasetService } from '../core/datasets/dataset-service.ts';
import type { DatasetStore } from '../core/datasets/dataset-store.ts';
import type { RowFileReader } from '../core/datasets/files/row-file-reader.ts';
import { IntegrationService } from '../core/integrations/integration-service.ts';
import type { IntegrationStore } from '../core/integrations/integration-store.ts';
import { LlmIntegrationService } from '../core/integrations/llm-integration-service.ts';
import { ModelDirectory } from '../core/integrations/model-directory.ts';
import type { Outbound } from '../core/integrations/outbound.ts';
import type { SecretBox } from '../core/integrations/secret-box.ts';
import { SecretRotation } from '../core/integrations/secret-rotation.ts';
import { PluginRegistry } from '../core/kernel/plugin-registry.ts';
import type { Clock, Log, NewId, Transactions } from '../core/kernel/ports.ts';
import { DEFAULT_OTLP_SETTINGS, type OtlpSettings } from '../core/otel/destination-finder.ts';
import type { Pause } from '../core/otel/map-slices.ts';
import type { Sha256 } from '../core/otel/otel-ids.ts';
import type { OtelTraceStore } from '../core/otel/otel-trace-store.ts';
import type { OtlpCodec } from '../core/otel/otlp-codec.ts';
import { OtlpService } from '../core/otel/otlp-service.ts';
import type { PricesOf } from '../core/otel/span-metrics.ts';
import type { ModelProviderPlugin, PluginHost, ScorerKindPlugin, ScorerKit } from '../core/plugin-sdk/index.ts';
import { LogStreamService } from '../core/projects/log-stream-service.ts';
import { ProjectService } from '../core/projects/project-service.ts';
import type { ProjectStore } from '../core/projects/project-store.ts';
import type { RunRecords } from '../core/projects/run-records.ts';
import type { CodeSandbox } from '../core/scorers/code-sandbox.ts';
import { MetricSettingsService } from '../core/scorers/metric-settings-service.ts';
import type { MetricSettingsStore } from '../core/scorers/metric-settings-store.ts';
import type { ScoreStore } from '../core/scorers/score-store.ts';
import { ScorerService } from '../core/scorers/scorer-service.ts';
import type { ScorerStore } from '../core/scorers/scorer-store.ts';
import type { ScoringQueue } from '../core/scorers/scoring-queue.ts';
import { ScoringService } from '../core/scorers/scoring-service.ts';
import { ColumnService } from '../core/traces/column-service.ts';
import type { ColumnStore } from '../core/traces/column-store.ts';
import { ExportService } from '../core/traces/export-service.ts';
import type { Explain } from '../core/traces/flatten.ts';
import { MetricsSearchService } from '../core/traces/metrics-search-service.ts';
import type { QuietTraces } from '../core/traces/quiet-traces.ts';
import type { Rescoring } from '../core/traces/recompute.ts';
import { RecomputeService } from '../core/traces/recompute-service.ts';
import type { RecordRemoval } from '../core/traces/record-removal.ts';
import { RecordRemovalService } from '../core/traces/record-removal-service.ts';
import type { RecordScan } from '../core/traces/record-scan.ts';
import { RetentionService } from '../core/traces/retention-service.ts';
import type { RetentionStore } from '../core/traces/retention-store.ts';
import type { RunDirectory } from '../core/traces/run-context.ts';
import type { RunMetrics } from '../core/traces/run-metrics.ts';
import { SearchService } from '../core/traces/search-service.ts';
import { SessionService } from '../core/traces/session-service.ts';
import type { SessionStore } from '../core/traces/session-store.ts';
import { TraceGraphService } from '../core/traces/trace-graph-service.ts';
import { TraceService } from '../core/traces/trace-service.ts';
import type { TraceStore } from '../core/traces/trace-store.ts';
import type { RecordIndex } from '../core/trends/record-index.ts';
import type { TrendStore } from '../core/trends/trend-store.ts';
import { pluginHostOf } from './plugin-host.ts';
import type { LoadedPlugins } from './plugins.ts';
import { scorerKitOf } from './scorer-kit.ts';

/** What has to be there before anything can be wired. */
export interface Given {
  readonly version: string;
  readonly log: Log;
  /** The first signs, all verify. */
  readonly accessTokenSecrets: readonly string[];
  readonly socialProviders: OidcProviders;
  readonly plugins: LoadedPlugins;
  /** What the operator set for plugins, by name. */
  readonly pluginSettings: Readonly<Record<string, string>>;
  readonly secretBox: SecretBox;
  readonly outbound: Outbound;
  readonly mailer: Mailer;
  /** Where the service is reached from outside; undefined when that is not known. */
  readonly publicUrl: string | undefined;
  readonly otlp?: OtlpSettings;
}

/** Everything outside the core, by the port it serves. */
export interface Adapters {
  readonly transactions: Transactions;
  readonly accessStore: AccessStore;
  readonly loginStore: LoginStore;
  readonly collaboratorStore: CollaboratorStore;
  readonly groupStore: GroupStore;
  readonly auditStore: AuditStore;
  readonly projectStore: ProjectStore;
  readonly traceStore: TraceStore;
  readonly otelTraceStore: OtelTraceStore;
  readonly quietTraces: QuietTraces;
  readonly sessionStore: SessionStore;
  readonly runDirectory: RunDirectory;
  readonly scorerStore: ScorerStore;
  readonly scoreStore: ScoreStore;
  readonly columnStore: ColumnStore;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly scoringQueue: ScoringQueue;
  readonly trendStore: TrendStore;
  readonly recordIndex: RecordIndex;
  readonly datasetStore: DatasetStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly integrationStore: IntegrationStore;
  readonly recordScan: RecordScan;
  readonly recordRemoval: RecordRemoval;
  readonly rescoring: Rescoring;
  readonly runMetrics: RunMetrics;
  readonly retentionStore: RetentionStore;
}

export interface Cradle extends Adapters {
  readonly version: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly explain: Explain;
  readonly tokenIssuer: TokenIssuer;
  readonly passwordHasher: PasswordHasher;
  readonly secrets: Secrets;
  readonly identityVerifier: IdentityVerifier;
  readonly loginLimits: LoginLimits;
  readonly credentialCheck: CredentialCheck;
  readonly loginLimiter: LoginLimiter;
  readonly socialLogin: SocialLogin;
  readonly runRecords: RunRecords;
  readonly codeSandbox: CodeSandbox;
  readonly scorerKit: ScorerKit;
  readonly scorerKinds: PluginRegistry<ScorerKindPlugin>;
  readonly modelProviders: PluginRegistry<ModelProviderPlugin>;
  readonly secretBox: SecretBox;
  readonly secretRotation: SecretRotation;
  readonly outbound: Outbound;
  readonly pluginHost: PluginHost;
  readonly modelDirectory: ModelDirectory;
  readonly recentPrincipals: RecentPrincipals;
  readonly auditTrail: AuditTrail;
  readonly authorizer: Authorizer;
  readonly accessService: AccessService;
  readonly loginService: LoginService;
  readonly mailer: Mailer;
  readonly publicUrl: string | undefined;
  readonly attemptLimiter: AttemptLimiter;
  readonly verificationMails: VerificationMails;
  readonly emailVerificationService: EmailVerificationService;
  readonly userRemoval: UserRemoval;
  readonly userService: UserService;
  readonly apiKeyService: ApiKeyService;
  readonly collaboratorService: CollaboratorService;
  readonly auditService: AuditService;
  readonly groupService: GroupService;
  readonly groupMemberService: GroupMemberService;
  readonly projectService: ProjectService;
  readonly logStreamService: LogStreamService;
  readonly traceService: TraceService;
  readonly otlpSettings: OtlpSettings;
  readonly otlpCodec: OtlpCodec;
  readonly sha256: Sha256;
  readonly pricesOf: PricesOf;
  readonly pause: Pause;
  readonly otlpService: OtlpService;
  readonly sessionService: SessionService;
  readonly exportService: ExportService;
  readonly recordRemovalService: RecordRemovalService;
  readonly traceGraphService: TraceGraphService;
  readonly metricsSearchService: MetricsSearchService;
  readonly recomputeService: RecomputeService;
  readonly retentionService: RetentionService;
  readonly columnService: ColumnService;
  readonly searchService: SearchService;
  readonly scorerService: ScorerService;
  readonly metricSettingsService: MetricSettingsService;
  readonly scoringService: ScoringService;
  readonly datasetCreationService: DatasetCreationService;
  readonly datasetService: DatasetService;
  readonly datasetBlockSize: number;
  readonly datasetContentService: DatasetContentService;
  readonly datasetEditService: DatasetEditService;
  readonly datasetDiffService: DatasetDiffService;
  readonly rowFileReader: RowFileReader;
  readonly datasetFileService: DatasetFileService;
  readonly integrationService: IntegrationService;
  readonly llmIntegrationService: LlmIntegrationService;
  readonly routes: readonly Route[];
}

export type Container = AwilixContainer<Cradle>;

type Registrations<T> = { readonly [Name in keyof T]: Resolver<T[Name]> };
const one = <T>(make: (cradle: Cradle) => T) => asFunction(make).singleton();

/** Wires the service on the given adapters. Every name is resolved at once, so nothing waits for the first request to fail. */
export function buildContainer(
  given: Given,
  adapters: Registrations<Adapters>,
  overrides: Partial<Registrations<Cradle>> = {},
): Container {
  const registrations: Registrations<Cradle> = {
    ...adapters,
    version: asValue(given.version),
    log: asValue(given.log),
    clock: asValue(() => new Date()),
    newId: asValue(() => randomUUID()),
    explain: asValue(explainIssues),
    tokenIssuer: one(() => new JwtTokenIssuer(given.accessTokenSecrets)),
    passwordHasher: one(() => new Argon2Passwords()),
    secrets: one(() => new NodeSecrets()),
    identityVerifier: one(({ log }) => new OidcIdentityVerifier({ providers: given.socialProviders, log })),
    loginLimits: asValue(DEFAULT_LOGIN_LIMITS),
    credentialCheck: one((cradle) => new CredentialCheck(cradle)),
    loginLimiter: one((cradle) => new LoginLimiter(cradle)),
    socialLogin: one((cradle) => new SocialLogin(cradle)),
    runRecords: one((cradle) => cradle.traceStore),
    codeSandbox: one(({ log }) => new ForkedSandbox({ settings: DEFAULT_SANDBOX_SETTINGS, log })),
    scorerKit: one((cradle) => scorerKitOf(cradle)),
    scorerKinds: one(() => new PluginRegistry(given.plugins.scorerKinds)),
    modelProviders: one(() => new PluginRegistry(given.plugins.modelProviders)),
    secretBox: asValue(given.secretBox),
    secretRotation: one((cradle) => new SecretRotation(cradle)),
    outbound: asValue(given.outbound),
    pluginHost: one((cradle) => pluginHostOf(cradle, given.pluginSettings)),
    modelDirectory: one((cradle) => new ModelDirectory(cradle)),
    recentPrincipals: one((cradle) => new RecentPrincipals(cradle)),
    auditTrail: one((cradle) => new AuditTrail(cradle)),
    authorizer: one((cradle) => new Authorizer(cradle)),
    accessService: one((cradle) => new AccessService(cradle)),
    loginService: one((cradle) => new LoginService(cradle)),
    mailer: asValue(given.mailer),
    publicUrl: asValue(given.publicUrl),
    attemptLimiter: one((cradle) => new AttemptLimiter(cradle)),
    verificationMails: one((cradle) => new VerificationMails(cradle)),
    emailVerificationService: one((cradle) => new EmailVerificationService(cradle)),
    userRemoval: one((cradle) => new UserRemoval(cradle)),
    userService: one((cradle) => new UserService(cradle)),
    apiKeyService: one((cradle) => new ApiKeyService(cradle)),
    collaboratorService: one((cradle) => new CollaboratorService(cradle)),
    auditService: one((cradle) => new AuditService(cradle)),
    groupService: one((cradle) => new GroupService(cradle)),
    groupMemberService: one((cradle) => new GroupMemberService(cradle)),
    projectService: one((cradle) => new ProjectService(cradle)),
    logStreamService: one((cradle) => new LogStreamService(cradle)),
    traceService: one((cradle) => new TraceService(cradle)),
    otlpSettings: asValue(given.otlp ?? DEFAULT_OTLP_SETTINGS),
    otlpCodec: one(() => new WireOtlpCodec()),
    sha256: asValue((bytes) => createHash('sha256').update(bytes).digest()),
    // What models cost is not known here yet: costs are those that senders state.
    pricesOf: asValue(() => undefined),
    pause: asValue(() => new Promise((resolve) => setImmediate(resolve))),
    otlpService: one((cradle) => new OtlpService(cradle)),
    sessionService: one((cradle) => new SessionService(cradle)),
    exportService: one((cradle) => new ExportService(cradle)),
    recordRemovalService: one((cradle) => new RecordRemovalService(cradle)),
    traceGraphService: one((cradle) => new TraceGraphService(cradle)),
    metricsSearchService: one((cradle) => new MetricsSearchService(cradle)),
    recomputeService: one((cradle) => new RecomputeService(cradle)),
    retentionService: one((cradle) => new RetentionService(cradle)),
    columnService: one((cradle) => new ColumnService(cradle)),
    searchService: one((cradle) => new SearchService(cradle)),
    scorerService: one((cradle) => new ScorerService(cradle)),
    metricSettingsService: one((cradle) => new MetricSettingsService(cradle)),
    scoringService: one((cradle) => new ScoringService(cradle)),
    datasetCreationService: one((cradle) => new DatasetCreationService(cradle)),
    datasetService: one((cradle) => new DatasetService(cradle)),
    datasetBlockSize: asValue(BLOCK_SIZE),
    datasetContentService: one((cradle) => new DatasetContentService(cradle)),
    datasetEditService: one((cradle) => new DatasetEditService(cradle)),
    datasetDiffService: one((cradle) => new DatasetDiffService(cradle)),
    rowFileReader: one(() => new StreamingRowFileReader()),
    datasetFileService: one((cradle) => new DatasetFileService(cradle)),
    integrationService: one((cradle) => new IntegrationService(cradle)),
    llmIntegrationService: one((cradle) => new LlmIntegrationService(cradle)),
    routes: one((cradle) => [
      ...traceRoutes(cradle),
      ...sessionRoutes(cradle),
      ...recordRemovalRoutes(cradle),
      ...exportRoutes(cradle),
      ...traceGraphRoutes(cradle),
      ...metricsSearchRoutes(cradle),
      ...recomputeRoutes(cradle),
      ...retentionRoutes(cradle),
      ...columnRoutes(cradle),
      ...systemRoutes(cradle),
      ...accessRoutes(cradle),
      ...emailRoutes(cradle),
      ...userRoutes(cradle),
      ...groupRoutes(cradle),
      ...collaboratorRoleRoutes(),
      ...auditRoutes(cradle),
      ...projectRoutes(cradle),
      ...collaboratorRoutes(cradle, 'project'),
      ...logStreamRoutes(cradle),
      ...scorerRoutes(cradle),
      ...datasetRoutes(cradle),
      ...datasetFileRoutes(cradle),
      ...datasetContentRoutes(cradle),
      ...datasetVersionRoutes(cradle),
      ...collaboratorRoutes(cradle, 'dataset'),
      ...integrationRoutes(cradle),
      ...llmIntegrationRoutes(cradle),
      ...collaboratorRoutes(cradle, 'integration'),
    ]),
    ...overrides,
  };
  const container = createContainer<Cradle>({ strict: true });
  container.register(registrations);
  for (const name of Object.keys(registrations) as (keyof Cradle)[]) container.resolve(name);
  return container;
}

/** The stores on PostgreSQL. The writer and the queue are opened by the caller, who also closes them. */
export function postgresAdapters(open: { orm: MikroORM; groupWriter: GroupWriter; queue: PgBossQueue }): Registrations<Adapters> {
  const session = new PostgresSession({ orm: open.orm });
  const { groupWriter, queue } = open;
  return {
    transactions: asValue<Transactions>(session),
    accessStore: one(() => new PostgresAccessStore({ session })),
    loginStore: one(() => new PostgresLoginStore({ session })),
    collaboratorStore: one(() => new PostgresCollaboratorStore({ session })),
    groupStore: one(() => new PostgresGroupStore({ session })),
    auditStore: one(() => new PostgresAuditStore({ session })),
    projectStore: one(() => new PostgresProjectStore({ session })),
    traceStore: one(() => new PostgresTraceStore({ session, groupWriter, enqueueWithin: queue.enqueueWithin })),
    otelTraceStore: one(
      () => new PostgresOtelTraceStore({ session, columns: groupWriter.columns, enqueueWithin: queue.enqueueWithin }),
    ),
    quietTraces: one(() => new PostgresQuietTraces({ session, enqueueWithin: queue.enqueueWithin })),
    runDirectory: one(() => new PostgresRunDirectory({ session })),
    sessionStore: one(() => new PostgresRecordSessionStore({ session })),
    scorerStore: one(() => new PostgresScorerStore({ session })),
    scoreStore: one(() => new PostgresScoreStore({ session })),
    columnStore: one(() => new PostgresColumnStore({ session })),
    metricSettingsStore: one(() => new PostgresMetricSettingsStore({ session })),
    scoringQueue: asValue<ScoringQueue>(queue),
    trendStore: one(() => new PostgresTrendStore({ session })),
    recordIndex: one(() => new PostgresRecordIndex({ session })),
    datasetStore: one(() => new PostgresDatasetStore({ session })),
    datasetContentStore: one(() => new PostgresDatasetContentStore({ session })),
    integrationStore: one(() => new PostgresIntegrationStore({ session })),
    recordScan: one(() => new PostgresRecordScan({ session })),
    recordRemoval: one(() => new PostgresRecordRemoval({ session })),
    rescoring: one(() => new PostgresRescoring({ session, enqueueWithin: queue.enqueueWithin })),
    runMetrics: one(() => new PostgresRunMetrics({ session })),
    retentionStore: one(() => new PostgresRetentionStore({ session })),
  };
}
