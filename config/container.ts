import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AwilixContainer, asValue, createContainer } from 'awilix';
import { StreamingRowFileReader } from '../adapters/files/streaming-row-file-reader.ts';
import { explainIssues } from '../adapters/http/validation.ts';
import { WireOtlpCodec } from '../adapters/otlp/wire-otlp-codec.ts';
import { ForkedSandbox } from '../adapters/sandbox/forked-sandbox.ts';
import { DEFAULT_SANDBOX_SETTINGS } from '../adapters/sandbox/sandbox-settings.ts';
import { Argon2Passwords } from '../adapters/security/argon2-passwords.ts';
import { JwtTokenIssuer } from '../adapters/security/jwt-token-issuer.ts';
import { NodeSecrets } from '../adapters/security/node-secrets.ts';
import { OidcDirectory } from '../adapters/security/oidc-directory.ts';
import { OidcIdentityVerifier } from '../adapters/security/oidc-identity-verifier.ts';
import { AccessService } from '../core/access/access-service.ts';
import { ApiKeyService } from '../core/access/api-key-service.ts';
import { AuditService } from '../core/access/audit/audit-service.ts';
import { AuditTrail } from '../core/access/audit/audit-trail.ts';
import { Authorizer } from '../core/access/authorizer.ts';
import { CollaboratorService } from '../core/access/groups/collaborator-service.ts';
import { GroupMemberService } from '../core/access/groups/group-member-service.ts';
import { GroupService } from '../core/access/groups/group-service.ts';
import { InvitationService } from '../core/access/invitation-service.ts';
import { CredentialCheck } from '../core/access/login/credential-check.ts';
import { DEFAULT_LOGIN_LIMITS, LoginLimiter } from '../core/access/login/login-limiter.ts';
import { LoginService } from '../core/access/login/login-service.ts';
import { RateLimiter } from '../core/access/login/rate-limiter.ts';
import { RecentPrincipals } from '../core/access/login/recent-principals.ts';
import { SocialLogin } from '../core/access/login/social-login.ts';
import { ProjectVisibility } from '../core/access/project-visibility.ts';
import { EmailVerificationService } from '../core/access/users/email-verification-service.ts';
import { UserRemoval } from '../core/access/users/user-removal.ts';
import { UserService } from '../core/access/users/user-service.ts';
import { VerificationMails } from '../core/access/users/verification-mails.ts';
import { BLOCK_SIZE } from '../core/datasets/block.ts';
import { DatasetContentService } from '../core/datasets/dataset-content-service.ts';
import { DatasetCreationService } from '../core/datasets/dataset-creation-service.ts';
import { DatasetDiffService } from '../core/datasets/dataset-diff-service.ts';
import { DatasetEditService } from '../core/datasets/dataset-edit-service.ts';
import { DatasetFileService } from '../core/datasets/dataset-file-service.ts';
import { DatasetImportService } from '../core/datasets/dataset-import-service.ts';
import { DatasetService } from '../core/datasets/dataset-service.ts';
import { DatasetExtensionService } from '../core/datasets/extension/dataset-extension-service.ts';
import { ComparisonService } from '../core/experiments/comparison/comparison-service.ts';
import { ExperimentCreationService } from '../core/experiments/experiment-creation-service.ts';
import { ExperimentMetricsService } from '../core/experiments/experiment-metrics-service.ts';
import { ExperimentService } from '../core/experiments/experiment-service.ts';
import { ExperimentTagService } from '../core/experiments/experiment-tag-service.ts';
import { ModelCaller } from '../core/experiments/model-caller.ts';
import { PlaygroundRequests } from '../core/experiments/playground-requests.ts';
import { ActivationGate } from '../core/health/activation-gate.ts';
import { GateService } from '../core/health/gate-service.ts';
import { HealthService } from '../core/health/health-service.ts';
import { KeptHealth } from '../core/health/kept-health.ts';
import { ShadowService } from '../core/health/shadow-service.ts';
import { TruthColumnService } from '../core/health/truth-column-service.ts';
import { CircuitBreakers } from '../core/integrations/circuit-breaker.ts';
import { IntegrationService } from '../core/integrations/integration-service.ts';
import { LlmIntegrationService } from '../core/integrations/llm-integration-service.ts';
import { ModelDirectory } from '../core/integrations/model-directory.ts';
import { PriceBook } from '../core/integrations/prices/price-book.ts';
import { ProviderOpener } from '../core/integrations/provider-opener.ts';
import { SecretRotation } from '../core/integrations/secret-rotation.ts';
import { JobRunner } from '../core/jobs/job-runner.ts';
import { JobService } from '../core/jobs/job-service.ts';
import { Jobs } from '../core/jobs/jobs.ts';
import { PluginRegistry } from '../core/kernel/plugin-registry.ts';
import { DEFAULT_OTLP_SETTINGS } from '../core/otel/destination-finder.ts';
import { OtlpService } from '../core/otel/otlp-service.ts';
import { LogStreamService } from '../core/projects/log-stream-service.ts';
import { ProjectService } from '../core/projects/project-service.ts';
import { ProjectTemplateService } from '../core/prompts/project-template-service.ts';
import { RenderService } from '../core/prompts/render-service.ts';
import { TemplateService } from '../core/prompts/template-service.ts';
import { TemplateVersionService } from '../core/prompts/template-version-service.ts';
import { AnnotationQueueService } from '../core/ratings/annotation-queue-service.ts';
import { AnnotationTemplateService } from '../core/ratings/annotation-template-service.ts';
import { RatingService } from '../core/ratings/rating-service.ts';
import { TruthExportService } from '../core/ratings/truth-export-service.ts';
import { AutogenService } from '../core/scorers/autogen/autogen-service.ts';
import type { Patience } from '../core/scorers/lending/attempts.ts';
import { ModelLender } from '../core/scorers/lending/model-lender.ts';
import { SpendingService } from '../core/scorers/lending/spending-service.ts';
import { PresetSeeding } from '../core/scorers/presets/preset-seeding.ts';
import { RecomputeService } from '../core/scorers/recompute/recompute-service.ts';
import { ScorerProjectService } from '../core/scorers/scorer-project-service.ts';
import { ScorerService } from '../core/scorers/scorer-service.ts';
import { ScoreService } from '../core/scorers/scores/score-service.ts';
import { BatchPace } from '../core/scorers/scoring/batch-pace.ts';
import { ScoringService } from '../core/scorers/scoring/scoring-service.ts';
import { Strikes } from '../core/scorers/scoring/strikes.ts';
import { SuspensionService } from '../core/scorers/scoring/suspension-service.ts';
import { MetricSettingsService } from '../core/scorers/settings/metric-settings-service.ts';
import { ShadowScoring } from '../core/scorers/shadow/shadow-scoring.ts';
import { TrialExpiry } from '../core/scorers/validation/trial-expiry.ts';
import { TrialService } from '../core/scorers/validation/trial-service.ts';
import { ValidationService } from '../core/scorers/validation/validation-service.ts';
import { CodeVersionService } from '../core/scorers/versions/code-version-service.ts';
import { ScorerVersionService } from '../core/scorers/versions/scorer-version-service.ts';
import { ColumnService } from '../core/traces/columns/column-service.ts';
import { TraceService } from '../core/traces/ingest/trace-service.ts';
import { ExportService } from '../core/traces/read/export-service.ts';
import { MetricsSearchService } from '../core/traces/read/metrics-search-service.ts';
import { SearchService } from '../core/traces/read/search-service.ts';
import { TraceGraphService } from '../core/traces/read/trace-graph-service.ts';
import { RecordRemovalService } from '../core/traces/retention/record-removal-service.ts';
import { RetentionService } from '../core/traces/retention/retention-service.ts';
import { SessionService } from '../core/traces/sessions/session-service.ts';
import type { Adapters } from './adapters.ts';
import { type Cradle, type Given, one, type Registrations } from './cradle.ts';
import { everyJobHandler } from './job-handlers.ts';
import { getPluginHost } from './plugin-host.ts';
import { scopedKind, scopedProvider } from './plugin-scope.ts';
import { presetProgram } from './preset-programs.ts';
import { everyRoute } from './routes.ts';
import { getScorerEnabling } from './scorer-enabling.ts';
import { getScorerKits } from './scorer-kit.ts';
import { trends } from './trends.ts';

export type Container = AwilixContainer<Cradle>;

/** Wires the service on the given adapters. Every name is resolved at once, so nothing waits for the first request to fail. */
export function buildContainer(
  given: Given,
  adapters: Registrations<Adapters>,
  overrides: Partial<Registrations<Cradle>> = {},
): Container {
  const registrations: Registrations<Cradle> = {
    ...adapters,
    ...trends,
    version: asValue(given.version),
    log: asValue(given.log),
    workContext: asValue(given.workContext),
    clock: asValue(() => new Date()),
    newId: asValue(() => randomUUID()),
    explain: asValue(explainIssues),
    tokenIssuer: one(() => new JwtTokenIssuer(given.accessTokenSecrets)),
    passwordHasher: one(() => new Argon2Passwords()),
    secrets: one(() => new NodeSecrets()),
    identityVerifier: one(({ log }) => new OidcIdentityVerifier({ providers: given.socialProviders, log })),
    socialDirectory: one(({ log }) => new OidcDirectory({ providers: given.socialProviders, log })),
    loginLimits: asValue(DEFAULT_LOGIN_LIMITS),
    credentialCheck: one((cradle) => new CredentialCheck(cradle)),
    loginLimiter: one((cradle) => new LoginLimiter(cradle)),
    socialLogin: one((cradle) => new SocialLogin(cradle)),
    runRecords: one((cradle) => cradle.traceStore),
    codeSandbox: one(({ log }) => new ForkedSandbox({ settings: DEFAULT_SANDBOX_SETTINGS, log })),
    patience: asValue<Patience>({ sleep: (ms, signal) => sleep(ms, undefined, { signal }), random: Math.random }),
    projectVisibility: one((cradle) => new ProjectVisibility(cradle)),
    strikes: one((cradle) => new Strikes(cradle)),
    batchPace: one(() => new BatchPace()),
    circuitBreakers: one(() => new CircuitBreakers()),
    modelLender: one((cradle) => new ModelLender(cradle)),
    scoreService: one((cradle) => new ScoreService(cradle)),
    spendingService: one((cradle) => new SpendingService(cradle)),
    scorerKits: one((cradle) => getScorerKits(cradle)),
    scorerKinds: one(
      ({ workContext }) => new PluginRegistry(given.plugins.scorerKinds.map((plugin) => scopedKind(plugin, workContext))),
    ),
    modelProviders: one(
      ({ workContext }) => new PluginRegistry(given.plugins.modelProviders.map((plugin) => scopedProvider(plugin, workContext))),
    ),
    secretBox: asValue(given.secretBox),
    secretRotation: one(
      ({ integrationStore, alertStore, secretBox }) =>
        new SecretRotation({ sealedStores: [integrationStore, alertStore], secretBox }),
    ),
    outbound: asValue(given.outbound),
    pluginHost: one((cradle) => getPluginHost(cradle, given.pluginSettings)),
    providerOpener: one((cradle) => new ProviderOpener(cradle)),
    modelDirectory: one((cradle) => new ModelDirectory(cradle)),
    recentPrincipals: one((cradle) => new RecentPrincipals(cradle)),
    auditTrail: one((cradle) => new AuditTrail(cradle)),
    authorizer: one((cradle) => new Authorizer(cradle)),
    accessService: one((cradle) => new AccessService(cradle)),
    loginService: one((cradle) => new LoginService(cradle)),
    mailer: asValue(given.mailer),
    publicUrl: asValue(given.publicUrl),
    rateLimiter: one((cradle) => new RateLimiter(cradle)),
    verificationMails: one((cradle) => new VerificationMails(cradle)),
    emailVerificationService: one((cradle) => new EmailVerificationService(cradle)),
    userRemoval: one((cradle) => new UserRemoval(cradle)),
    userService: one((cradle) => new UserService(cradle)),
    apiKeyService: one((cradle) => new ApiKeyService(cradle)),
    collaboratorService: one((cradle) => new CollaboratorService(cradle)),
    auditService: one((cradle) => new AuditService(cradle)),
    groupService: one((cradle) => new GroupService(cradle)),
    invitationService: one((cradle) => new InvitationService(cradle)),
    groupMemberService: one((cradle) => new GroupMemberService(cradle)),
    projectService: one((cradle) => new ProjectService(cradle)),
    logStreamService: one((cradle) => new LogStreamService(cradle)),
    traceService: one((cradle) => new TraceService(cradle)),
    otlpSettings: asValue(given.otlp ?? DEFAULT_OTLP_SETTINGS),
    otlpCodec: one(() => new WireOtlpCodec()),
    sha256: asValue((bytes) => createHash('sha256').update(bytes).digest()),
    priceBook: one(({ clock }) => new PriceBook({ modelPrices: given.modelPrices, clock })),
    getPrices: one(
      ({ priceBook }) =>
        (model) =>
          priceBook.perToken(model),
    ),
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
    versionGate: one((cradle) => cradle.activationGate),
    presetProgram: asValue(presetProgram),
    presetSeeding: one((cradle) => new PresetSeeding(cradle)),
    suspensionService: one((cradle) => new SuspensionService(cradle)),
    scorerVersionService: one((cradle) => new ScorerVersionService(cradle)),
    codeVersionService: one((cradle) => new CodeVersionService(cradle)),
    scorerProjectService: one((cradle) => new ScorerProjectService(cradle)),
    validationService: one((cradle) => new ValidationService(cradle)),
    trialService: one((cradle) => new TrialService(cradle)),
    // Clients watch a trial for about a minute.
    trialLimits: asValue({ required_ms: 40_000 }),
    trialExpiry: one((cradle) => new TrialExpiry(cradle)),
    autogenService: one((cradle) => new AutogenService(cradle)),
    metricSettingsService: one((cradle) => new MetricSettingsService(cradle)),
    scoringService: one((cradle) => new ScoringService(cradle)),
    ratingService: one((cradle) => new RatingService(cradle)),
    annotationTemplateService: one((cradle) => new AnnotationTemplateService(cradle)),
    annotationQueueService: one((cradle) => new AnnotationQueueService(cradle)),
    truthExportService: one((cradle) => new TruthExportService(cradle)),
    jobs: one((cradle) => new Jobs(cradle)),
    jobHandlers: one(everyJobHandler),
    jobRunner: one((cradle) => new JobRunner(cradle)),
    jobService: one((cradle) => new JobService(cradle)),
    datasetCreationService: one((cradle) => new DatasetCreationService(cradle)),
    datasetService: one((cradle) => new DatasetService(cradle)),
    datasetBlockSize: asValue(BLOCK_SIZE),
    datasetContentService: one((cradle) => new DatasetContentService(cradle)),
    datasetEditService: one((cradle) => new DatasetEditService(cradle)),
    datasetDiffService: one((cradle) => new DatasetDiffService(cradle)),
    datasetExtensionService: one((cradle) => new DatasetExtensionService(cradle)),
    rowFileReader: one(() => new StreamingRowFileReader()),
    datasetImportService: one((cradle) => new DatasetImportService(cradle)),
    datasetFileService: one((cradle) => new DatasetFileService(cradle)),
    enableScorers: one(getScorerEnabling),
    modelCaller: one((cradle) => new ModelCaller(cradle)),
    playgroundRequests: one((cradle) => new PlaygroundRequests(cradle)),
    experimentService: one((cradle) => new ExperimentService(cradle)),
    experimentCreationService: one((cradle) => new ExperimentCreationService(cradle)),
    experimentMetricsService: one((cradle) => new ExperimentMetricsService(cradle)),
    comparisonService: one((cradle) => new ComparisonService(cradle)),
    experimentTagService: one((cradle) => new ExperimentTagService(cradle)),
    templateService: one((cradle) => new TemplateService(cradle)),
    templateVersionService: one((cradle) => new TemplateVersionService(cradle)),
    projectTemplateService: one((cradle) => new ProjectTemplateService(cradle)),
    renderService: one((cradle) => new RenderService(cradle)),
    activationGate: one((cradle) => new ActivationGate(cradle)),
    truthColumnService: one((cradle) => new TruthColumnService(cradle)),
    shadowService: one((cradle) => new ShadowService(cradle)),
    shadowScoring: one((cradle) => new ShadowScoring(cradle)),
    gateService: one((cradle) => new GateService(cradle)),
    keptHealth: one((cradle) => new KeptHealth(cradle)),
    healthService: one((cradle) => new HealthService(cradle)),
    integrationService: one((cradle) => new IntegrationService(cradle)),
    llmIntegrationService: one((cradle) => new LlmIntegrationService(cradle)),
    routes: one(everyRoute),
    ...overrides,
  };
  const container = createContainer<Cradle>({ strict: true });
  container.register(registrations);
  for (const name of Object.keys(registrations) as (keyof Cradle)[]) container.resolve(name);
  return container;
}
