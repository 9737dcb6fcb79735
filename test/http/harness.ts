import { asValue } from 'awilix';
import { buildApp } from '../../adapters/http/app.ts';
import { HttpServer } from '../../adapters/http/http-server.ts';
import type { Route } from '../../adapters/http/route.ts';
import { AsyncWorkContext } from '../../adapters/log/async-work-context.ts';
import { contextLog } from '../../adapters/log/context-log.ts';
import { MemoryMailer } from '../../adapters/memory/access/memory-mailer.ts';
import { SsrfGuardedOutbound } from '../../adapters/outbound/ssrf-guarded-outbound.ts';
import { DEFAULT_SANDBOX_SETTINGS, ForkedSandbox } from '../../adapters/sandbox/forked-sandbox.ts';
import { AesSecretBox } from '../../adapters/security/aes-secret-box.ts';
import { Argon2Passwords } from '../../adapters/security/argon2-passwords.ts';
import type { OidcProviders } from '../../adapters/security/oidc-identity-verifier.ts';
import { buildContainer, workers } from '../../config/container.ts';
import type { Cradle } from '../../config/cradle.ts';
import { INSTALLED } from '../../config/plugins.ts';
import { memoryAdapters } from '../../config/wiring/memory.ts';
import type { LoginLimits } from '../../core/access/login/login-limiter.ts';
import type { Mail } from '../../core/access/users/mailer.ts';
import type { Log } from '../../core/kernel/ports.ts';
import type { Price } from '../../core/models/prices/price.ts';
import { DEFAULT_OTLP_SETTINGS } from '../../core/otel/destination-finder.ts';
import type { ModelProviderPlugin, NotificationChannelPlugin, ScorerKindPlugin } from '../../core/plugin-sdk/index.ts';
import { sharedByFile } from '../setup/shared-by-file.ts';
import { silent } from '../setup/silent.ts';

export const ADMIN = { email: 'admin@example.org', password: 'correct horse battery', api_key: 'test-key-0123456789abcdef' };

let hashOfAdmin: Promise<string> | undefined;

/** Every service of the tests has the same first administrator, whose password is hashed once. */
class TestPasswords extends Argon2Passwords {
  override hash(password: string): Promise<string> {
    if (password !== ADMIN.password) return super.hash(password);
    hashOfAdmin ??= super.hash(password);
    return hashOfAdmin;
  }
}

/** Starting processes takes longer than most tests, so those of a file share them; on a busy machine, programs are slow. */
const sandboxOfFile = sharedByFile(
  () => new ForkedSandbox({ settings: { ...DEFAULT_SANDBOX_SETTINGS, run_ms: 2_000 }, log: silent }),
  (sandbox) => sandbox.close(),
);

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
  readonly scorerKinds?: readonly ScorerKindPlugin[];
  readonly notificationChannels?: readonly NotificationChannelPlugin[];
  /** The operator's own prices. */
  readonly modelPrices?: readonly Price[];
  /** Where model providers may lead though it is not public. */
  readonly allowedEndpoints?: readonly string[];
  readonly otlpMaxBodyBytes?: number;
  /** Why all that needs the database would fail. */
  readonly failure?: NonNullable<Parameters<typeof buildApp>[0]['failure']>;
  /** What failures of the adapters mean. */
  readonly explainFailure?: Parameters<typeof buildApp>[0]['explainFailure'];
  /** In place of the memory adapters. */
  readonly adapters?: Parameters<typeof buildContainer>[1];
  /** Parts of the service to be wired differently, to see whether tests notice. */
  readonly overrides?: NonNullable<Parameters<typeof buildContainer>[2]>;
  /** Stands round each piece of work that goes on behind the requests. */
  readonly behind?: <T>(work: () => Promise<T>) => Promise<T>;
  /** What is mounted in place of the routes. */
  readonly mounted?: (routes: readonly Route[]) => readonly Route[];
}

/** The whole service behind a real socket, on memory adapters unless others are given. */
export async function startTestServer({
  socialProviders = {},
  loginLimits,
  modelProviders = INSTALLED.modelProviders,
  scorerKinds = INSTALLED.scorerKinds,
  notificationChannels = INSTALLED.notificationChannels,
  modelPrices = [],
  allowedEndpoints = [],
  adapters = memoryAdapters(),
  otlpMaxBodyBytes = 64 * 1024 * 1024,
  failure = () => undefined,
  explainFailure = () => undefined,
  overrides = {},
  behind = (work) => work(),
  mounted = (routes) => routes,
  ...settings
}: TestSettings = {}): Promise<TestServer> {
  const logged: string[] = [];
  const keep = (level: string) => (message: string, fields?: object) =>
    void logged.push(JSON.stringify({ level, message, ...fields }));
  const log: Log = { info: keep('info'), warn: keep('warn'), error: keep('error') };
  const workContext = new AsyncWorkContext();
  const mailer = new MemoryMailer();
  const outbound = new SsrfGuardedOutbound({ allowed: allowedEndpoints });
  const sandbox = sandboxOfFile();
  const container = buildContainer(
    {
      version: '0.0.0-test',
      log: contextLog(log, workContext),
      workContext,
      accessTokenSecrets: ['a secret of the tests, long enough'],
      socialProviders,
      plugins: { ...INSTALLED, modelProviders, scorerKinds, notificationChannels },
      pluginSettings: {},
      modelPrices,
      secretBox: new AesSecretBox(() => ['a key of the tests, which is long enough']),
      outbound,
      mailer,
      publicUrl: undefined,
      otlpSettings: DEFAULT_OTLP_SETTINGS,
      traceIdleSeconds: 120,
      sessionIdleSeconds: 60,
    },
    adapters,
    {
      passwordHasher: asValue(new TestPasswords()),
      codeSandbox: asValue(sandbox),
      ...(loginLimits === undefined ? {} : { loginLimits: asValue(loginLimits) }),
      ...overrides,
    },
  );
  const { cradle } = container;
  await cradle.accessService.bootstrap(ADMIN);
  for (const each of workers(cradle)) await each.start((_facts, work) => behind(work));
  const app = buildApp({
    settings: {
      version: cradle.version,
      apiKeyHeaders: ['Service-API-Key'],
      wordAliases: {},
      presetNames: cradle.scorerKinds.presets.map(({ name }) => name),
      trustedProxies: false,
      maxBodyBytes: 25 * 1024 * 1024,
      maxBytesInFlight: 128 * 1024 * 1024,
      checkBulkReplies: true,
      ...settings,
    },
    log,
    workContext,
    accessService: cradle.accessService,
    routes: mounted(cradle.routes),
    otlp: { service: cradle.otlpService, codec: cradle.otlpCodec, maxBodyBytes: otlpMaxBodyBytes },
    gauges: [],
    ready: async () => true,
    failure,
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
      await server.drain({ leaveMs: 0, idleMs: 0, limitMs: 1_000 });
      await cradle.scoringQueue.stop(1_000);
      await cradle.modelScoringQueue.stop(1_000);
      await cradle.jobQueue.stop(1_000);
      if (cradle.codeSandbox !== sandbox) await cradle.codeSandbox.close();
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
