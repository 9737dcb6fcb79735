import { AsyncWorkContext } from '../adapters/log/async-work-context.ts';
import { contextLog } from '../adapters/log/context-log.ts';
import { MemoryMailer } from '../adapters/memory/access/memory-mailer.ts';
import { SsrfGuardedOutbound } from '../adapters/outbound/ssrf-guarded-outbound.ts';
import { AesSecretBox } from '../adapters/security/aes-secret-box.ts';
import { backgroundWork, buildContainer, workers } from '../config/container.ts';
import type { Adapters, Cradle, Registrations } from '../config/cradle.ts';
import type { Given } from '../config/given.ts';
import { INSTALLED, type LoadedPlugins, loadPlugins } from '../config/plugins.ts';
import { BackgroundLoop } from '../config/process/background-loop.ts';
import { hostsIn } from '../config/social-providers.ts';
import { memoryAdapters } from '../config/wiring/memory.ts';
import { factory } from '../config/wiring/registration.ts';
import type { Caller } from '../core/access/caller.ts';
import type { Mail } from '../core/access/users/mailer.ts';
import type { Log } from '../core/kernel/ports.ts';
import { NO_SELF_TRACER, type SelfTracer } from '../core/kernel/self-tracer.ts';
import { DEFAULT_OTLP_SETTINGS } from '../core/otel/destination-finder.ts';
import { FIRST_ADMIN, TestPasswords } from './first-admin.ts';

/** How long jobs under way are waited for at the end, in milliseconds. */
const JOBS_MS = 1_000;
const SETTLED_POLL_MS = 5;

export interface ServicesSettings
  extends Partial<
    Pick<
      Given,
      | 'socialProviders'
      | 'modelPrices'
      | 'pluginSettings'
      | 'publicUrl'
      | 'otlpSettings'
      | 'maxProjectFileBytes'
      | 'fileUrlSigning'
      | 'maxQueryRows'
      | 'exportTarget'
      | 'exportIntervalSeconds'
      | 'exportMergeSeconds'
    >
  > {
  /** Takes the spans of the service's own work. */
  readonly selfTracer?: SelfTracer;
  /** Name of the installation, by which it knows its own spans. */
  readonly installation?: string;
  /** Modules with plugins beside those that are installed, as `PLUGINS` names them: packages, files or folders. */
  readonly pluginModules?: readonly string[];
  /** In place of the installed plugins of a kind. */
  readonly plugins?: Partial<LoadedPlugins>;
  /** Private hosts, addresses and networks that integrations and webhooks may reach, such as `127.0.0.1:4010`. */
  readonly allowedEndpoints?: readonly string[];
  /** Services wired differently, by their names: `{ clock: value(() => new Date(0)) }`. */
  readonly overrides?: Partial<Registrations<Cradle>>;
  /** In place of the memory adapters. */
  readonly adapters?: Registrations<Adapters>;
  /** Whether periodic work goes on by itself: idle-timeout completion, alerts, retention and the like. True by default. */
  readonly background?: boolean;
  /** Stands around each job that is done. */
  readonly aroundJob?: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface OpenedServices extends AsyncDisposable {
  /** Every service and store, by its name in the wiring. */
  readonly services: Cradle;
  /** The first administrator, as services want to know who calls. */
  readonly admin: Caller;
  readonly log: Log;
  /** Lines logged so far, as JSON. */
  readonly logged: readonly string[];
  /** Mails sent so far, after those under way. */
  mails(): Promise<readonly Mail[]>;
  /** Resolves once no job waits or is under way: everything logged so far is scored. */
  settled(): Promise<void>;
  /** Ends background work, jobs and the sandbox. */
  close(): Promise<void>;
}

/** All services of the core on memory adapters, wired and working as in production, with a first administrator. */
export async function openServices(settings: ServicesSettings = {}): Promise<OpenedServices> {
  const { pluginModules = [], plugins, overrides, adapters = memoryAdapters(), background = true } = settings;
  const { aroundJob = (work) => work() } = settings;
  const logged: string[] = [];
  const log = keepingLog(logged);
  const mailer = new MemoryMailer();
  const outbound = new SsrfGuardedOutbound({ allowed: settings.allowedEndpoints ?? [] });
  const identityOutbound = new SsrfGuardedOutbound({ allowed: hostsIn(settings.socialProviders ?? {}) });
  const workContext = new AsyncWorkContext();
  const installed = pluginModules.length > 0 ? await loadPlugins(pluginModules, workContext) : INSTALLED;
  const given: Given = {
    version: '0.0.0-test',
    log: contextLog(log, workContext),
    workContext,
    selfTracer: settings.selfTracer ?? NO_SELF_TRACER,
    installation: Promise.resolve(settings.installation ?? 'tests'),
    accessTokenSecrets: ['a secret of the tests, long enough'],
    socialProviders: settings.socialProviders ?? {},
    plugins: { ...installed, ...plugins },
    pluginSettings: settings.pluginSettings ?? {},
    modelPrices: settings.modelPrices ?? [],
    secretBox: new AesSecretBox(() => ['a key of the tests, which is long enough']),
    outbound,
    identityOutbound,
    mailer,
    publicUrl: settings.publicUrl,
    otlpSettings: settings.otlpSettings ?? DEFAULT_OTLP_SETTINGS,
    traceIdleSeconds: 120,
    sessionIdleSeconds: 60,
    judgeCallDays: 30,
    maxQueryRows: settings.maxQueryRows ?? 0,
    maxProjectFileBytes: settings.maxProjectFileBytes ?? 64 * 1024 * 1024,
    fileUrlSigning: settings.fileUrlSigning,
    exportTarget: settings.exportTarget,
    exportIntervalSeconds: settings.exportIntervalSeconds ?? 1,
    exportMergeSeconds: settings.exportMergeSeconds ?? 3_600,
  };
  const { cradle } = buildContainer(given, adapters, { passwordHasher: factory(() => new TestPasswords()), ...overrides });
  await cradle.accessService.bootstrap(FIRST_ADMIN);
  for (const each of workers(cradle)) await each.start((_facts, work) => aroundJob(work));
  const loops = background ? backgroundWork(cradle).map((work) => new BackgroundLoop(work, log)) : [];
  const close = async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
    await Promise.all(queues(cradle).map((queue) => queue.stop(JOBS_MS)));
    await cradle.codeLanguages.close();
    await cradle.codeSandbox.close();
    await outbound.close();
    await identityOutbound.close();
  };
  return {
    services: cradle,
    admin: await toAdmin(cradle),
    log,
    logged,
    mails: async () => {
      await cradle.verificationMails.settled();
      return mailer.sent;
    },
    settled: () => untilNoJob(cradle),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function keepingLog(lines: string[]): Log {
  const keep = (level: string) => (message: string, fields?: object) =>
    void lines.push(JSON.stringify({ level, message, ...fields }));
  return { info: keep('info'), warn: keep('warn'), error: keep('error') };
}

async function toAdmin({ accessService }: Cradle): Promise<Caller> {
  const origin = { request_id: 'test', address: '127.0.0.1' };
  const principal = await accessService.callerByApiKey(FIRST_ADMIN.api_key, origin);
  if (!principal) throw new Error('the first administrator cannot log in');
  return { ...principal, origin };
}

const queues = (cradle: Cradle) => [cradle.scoringQueue, cradle.modelScoringQueue, cradle.jobQueue];

async function untilNoJob(cradle: Cradle): Promise<void> {
  for (;;) {
    const depths = await Promise.all(queues(cradle).map((queue) => queue.depth()));
    if (depths.every((depth) => depth === 0)) return;
    await new Promise((resolve) => setTimeout(resolve, SETTLED_POLL_MS));
  }
}
