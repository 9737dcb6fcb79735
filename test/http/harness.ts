import { type asFunction, asValue } from 'awilix';
import { buildApp } from '../../adapters/http/app.ts';
import { HttpServer } from '../../adapters/http/http-server.ts';
import type { Route } from '../../adapters/http/route.ts';
import { MemoryAccessStore } from '../../adapters/memory/memory-access-store.ts';
import { MemoryAuditStore } from '../../adapters/memory/memory-audit-store.ts';
import { MemoryCollaboratorStore } from '../../adapters/memory/memory-collaborator-store.ts';
import { MemoryColumnStore } from '../../adapters/memory/memory-column-store.ts';
import { MemoryDatasetContentStore } from '../../adapters/memory/memory-dataset-content-store.ts';
import { type KeptContent, MemoryDatasetStore } from '../../adapters/memory/memory-dataset-store.ts';
import { MemoryGroupStore } from '../../adapters/memory/memory-group-store.ts';
import { MemoryIntegrationStore } from '../../adapters/memory/memory-integration-store.ts';
import { MemoryLoginStore } from '../../adapters/memory/memory-login-store.ts';
import { MemoryMailer } from '../../adapters/memory/memory-mailer.ts';
import { MemoryMetricSettingsStore } from '../../adapters/memory/memory-metric-settings-store.ts';
import { MemoryOtelTraceStore } from '../../adapters/memory/memory-otel-trace-store.ts';
import { MemoryProjectStore } from '../../adapters/memory/memory-project-store.ts';
import { MemoryQuietTraces } from '../../adapters/memory/memory-quiet-traces.ts';
import { MemoryRecordIndex } from '../../adapters/memory/memory-record-index.ts';
import { memoryRecordOperations } from '../../adapters/memory/memory-record-operations.ts';
import { MemoryRunOriginStore } from '../../adapters/memory/memory-run-origin-store.ts';
import { MemoryScoreStore } from '../../adapters/memory/memory-score-store.ts';
import { MemoryScorerStore } from '../../adapters/memory/memory-scorer-store.ts';
import { MemoryScoringQueue } from '../../adapters/memory/memory-scoring-queue.ts';
import { MemorySessionStore } from '../../adapters/memory/memory-session-store.ts';
import { MemoryTraceStore } from '../../adapters/memory/memory-trace-store.ts';
import { MemoryTransactions } from '../../adapters/memory/memory-transactions.ts';
import { MemoryTrendStore } from '../../adapters/memory/memory-trend-store.ts';
import { GuardedOutbound } from '../../adapters/outbound/guarded-outbound.ts';
import { AesSecretBox } from '../../adapters/security/aes-secret-box.ts';
import type { OidcProviders } from '../../adapters/security/oidc-identity-verifier.ts';
import { buildContainer } from '../../config/container.ts';
import type { Adapters, Cradle } from '../../config/cradle.ts';
import { MODEL_PROVIDERS, SCORER_KINDS } from '../../config/plugins.ts';
import type { LoginLimits } from '../../core/access/login-limiter.ts';
import type { Mail } from '../../core/access/mailer.ts';
import type { Log } from '../../core/kernel/ports.ts';
import type { ModelProviderPlugin } from '../../core/plugin-sdk/index.ts';

export const ADMIN = { email: 'admin@example.org', password: 'correct horse battery', api_key: 'test-key-0123456789abcdef' };

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, else the text; undefined when empty. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

export interface TestServer {
  readonly url: string;
  readonly cradle: Cradle;
  /** Lines logged so far, as JSON. */
  readonly logged: string[];
  /** Mails sent so far, after those under way. */
  mails(): Promise<readonly Mail[]>;
  /** Sends JSON with the administrator's key, unless `init` says otherwise. */
  request(
    method: string,
    path: string,
    body?: unknown,
    init?: { headers?: Record<string, string>; raw?: NonNullable<RequestInit['body']> },
  ): Promise<Reply>;
  close(): Promise<void>;
}

export interface TestSettings extends Partial<Parameters<typeof buildApp>[0]['settings']> {
  readonly socialProviders?: OidcProviders;
  readonly loginLimits?: LoginLimits;
  /** In place of those that are installed. */
  readonly modelProviders?: readonly ModelProviderPlugin[];
  /** Where model providers may lead though it is not public. */
  readonly allowedEndpoints?: readonly string[];
  readonly otlpMaxBodyBytes?: number;
  /** What failures of the adapters mean. */
  readonly explainFailure?: Parameters<typeof buildApp>[0]['explainFailure'];
  /** In place of the memory adapters. */
  readonly adapters?: Parameters<typeof buildContainer>[1];
  /** Parts of the service to be wired differently, to see whether tests notice. */
  readonly overrides?: NonNullable<Parameters<typeof buildContainer>[2]>;
  /** What is mounted in place of the routes. */
  readonly mounted?: (routes: readonly Route[]) => readonly Route[];
}

/** The whole service behind a real socket, on memory adapters unless others are given. */
export async function startTestServer({
  socialProviders = {},
  loginLimits,
  modelProviders = MODEL_PROVIDERS,
  allowedEndpoints = [],
  adapters = memoryAdapters(),
  otlpMaxBodyBytes = 64 * 1024 * 1024,
  explainFailure = () => undefined,
  overrides = {},
  mounted = (routes) => routes,
  ...settings
}: TestSettings = {}): Promise<TestServer> {
  const logged: string[] = [];
  const keep = (level: string) => (message: string, fields?: object) =>
    void logged.push(JSON.stringify({ level, message, ...fields }));
  const log: Log = { info: keep('info'), warn: keep('warn'), error: keep('error') };
  const mailer = new MemoryMailer();
  const outbound = new GuardedOutbound({ allowed: allowedEndpoints });
  const container = buildContainer(
    {
      version: '0.0.0-test',
      log,
      accessTokenSecrets: ['a secret of the tests, long enough'],
      socialProviders,
      plugins: { modelProviders, scorerKinds: SCORER_KINDS },
      pluginSettings: {},
      secretBox: new AesSecretBox(() => ['a key of the tests, which is long enough']),
      outbound,
      mailer,
      publicUrl: undefined,
    },
    adapters,
    { ...(loginLimits === undefined ? {} : { loginLimits: asValue(loginLimits) }), ...overrides },
  );
  const { cradle } = container;
  await cradle.accessService.bootstrap(ADMIN);
  await cradle.scoringQueue.work(
    (job, signal) => cradle.scoringService.score(job, signal),
    (job) => cradle.scoringService.giveUp(job),
  );
  const app = buildApp({
    settings: {
      version: cradle.version,
      apiKeyHeaders: ['Service-API-Key'],
      pathAliases: {},
      trustedProxies: false,
      maxBodyBytes: 25 * 1024 * 1024,
      maxBytesInFlight: 128 * 1024 * 1024,
      checkBulkReplies: true,
      ...settings,
    },
    log,
    accessService: cradle.accessService,
    routes: mounted(cradle.routes),
    otlp: { service: cradle.otlpService, codec: cradle.otlpCodec, maxBodyBytes: otlpMaxBodyBytes },
    gauges: [],
    ready: async () => true,
    explainFailure,
  });
  const server = await HttpServer.listen(app, { host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    cradle,
    logged,
    mails: async () => {
      await cradle.verificationMails.settled();
      return mailer.sent;
    },
    request: (method, path, body, init = {}) => send(server.url + path, method, body, init),
    close: async () => {
      await server.drain(0, 1_000);
      await cradle.scoringQueue.stop(1_000);
      await cradle.codeSandbox.close();
      await outbound.close();
    },
  };
}

async function send(
  url: string,
  method: string,
  body: unknown,
  { headers = {}, raw }: { headers?: Record<string, string>; raw?: NonNullable<RequestInit['body']> },
): Promise<Reply> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const sent = raw ?? json;
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const res = await fetch(url, {
    method,
    headers: { 'service-api-key': ADMIN.api_key, ...type, ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const text = await res.text();
  const isJson = /[/+]json\b/.test(res.headers.get('content-type') ?? '');
  return { status: res.status, headers: res.headers, body: text === '' ? undefined : isJson ? JSON.parse(text) : text };
}

/** Memory stores that share what the stores of one database share. */
function memoryAdapters(): { [Name in keyof Adapters]: ReturnType<typeof asFunction<Adapters[Name]>> } {
  const clock = () => new Date();
  const projectStore = new MemoryProjectStore();
  const contents = new Map<string, KeptContent>();
  const settings = new MemoryMetricSettingsStore({ projectStore, clock });
  const scoringQueue = new MemoryScoringQueue();
  const scoreStore = new MemoryScoreStore({ recordExists: (...key) => traceStore.has(...key) });
  const traceStore = new MemoryTraceStore({
    runDirectory: settings,
    clock,
    enqueue: scoringQueue.enqueue,
    scoreOf: (record, metric_name) => scoreStore.newest(record, metric_name),
    noteColumns: (records) => columnStore.note(records),
    removeColumns: (project_id, run_id) => columnStore.removeAll(project_id, run_id),
    removeScores: (project_id, run_id) => scoreStore.removeAll(project_id, run_id),
    keepSessions: (sessions) => sessionStore.keep(sessions),
    removeSessions: (project_id, run_id) => sessionStore.removeAll(project_id, run_id),
  });
  const sessionStore = new MemorySessionStore({
    runDirectory: settings,
    records: (project_id) => traceStore.recordsOf(project_id),
    removeTraces: (...asked) => operations.recordRemoval.removeTraces(...asked),
    markRun: (project_id, run_id) => projectStore.markUserSessions(project_id, run_id),
  });
  const operations = memoryRecordOperations({ traceStore, scoreStore, sessionStore, enqueue: scoringQueue.enqueue });
  const columnStore = new MemoryColumnStore({ recordsOf: (...key) => traceStore.recordsOf(...key), scoreStore });
  const adapters: Adapters = {
    transactions: new MemoryTransactions(),
    accessStore: new MemoryAccessStore(),
    loginStore: new MemoryLoginStore(),
    collaboratorStore: new MemoryCollaboratorStore(),
    groupStore: new MemoryGroupStore(),
    integrationStore: new MemoryIntegrationStore(),
    auditStore: new MemoryAuditStore(),
    projectStore,
    runOriginStore: new MemoryRunOriginStore({ projectStore }),
    traceStore,
    otelTraceStore: new MemoryOtelTraceStore({ traceStore, runDirectory: settings, enqueue: scoringQueue.enqueue }),
    quietTraces: new MemoryQuietTraces({ traceStore, clock }),
    sessionStore,
    runDirectory: settings,
    scorerStore: new MemoryScorerStore(),
    scoreStore,
    columnStore,
    metricSettingsStore: settings,
    scoringQueue,
    trendStore: new MemoryTrendStore({
      recordsOf: (project_id, run_id) => traceStore.recordsOf(project_id, run_id),
      scoresOf: (project_id, run_id, ids) => scoreStore.list(project_id, run_id, ids),
    }),
    recordIndex: new MemoryRecordIndex(),
    datasetStore: new MemoryDatasetStore({
      contents,
      projectExists: async (id) => (await projectStore.findProject(id)) !== undefined,
    }),
    datasetContentStore: new MemoryDatasetContentStore({ contents }),
    ...operations,
  };
  return Object.fromEntries(Object.entries(adapters).map(([name, value]) => [name, asValue(value)])) as never;
}
