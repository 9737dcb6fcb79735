import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { consolePages } from '../adapters/http/console-pages.ts';
import { HttpServer } from '../adapters/http/http-server.ts';
import { contextLog } from '../adapters/log/context-log.ts';
import { SsrfGuardedOutbound } from '../adapters/outbound/ssrf-guarded-outbound.ts';
import { AesSecretBox } from '../adapters/security/aes-secret-box.ts';
import type { WorkContext } from '../core/kernel/ports.ts';
import { NO_SELF_TRACER, type SelfTracer } from '../core/kernel/self-tracer.ts';
import { backgroundWork, buildContainer, workers } from './container.ts';
import type { Adapters, Cradle, Registrations } from './cradle.ts';
import type { Config } from './env.ts';
import type { Given } from './given.ts';
import { CredentialsFile } from './keys/credentials.ts';
import { SecretKeys } from './keys/secret-keys.ts';
import { getMailer } from './mail.ts';
import { readModelPrices } from './model-prices.ts';
import { openObjectStore } from './object-stores.ts';
import { loadPlugins } from './plugins.ts';
import { BackgroundLoop, type BackgroundWork } from './process/background-loop.ts';
import { BackupVerifier, backupGauges } from './process/backup-verifier.ts';
import { MemoryRelease } from './process/memory-release.ts';
import type { StrayFailures } from './process/stray-failures.ts';
import { buildServiceApp, listenForGrpc, openEdge } from './service-app.ts';
import { checkSocialProviders, hostsIn } from './social-providers.ts';
import { openDataDir } from './storage/data-dir.ts';
import { openMemoryStorage } from './storage/memory-storage.ts';
import { openPostgresStorage } from './storage/postgres-storage.ts';
import type { Storage, StorageContext } from './storage/storage.ts';
import { toFileUrlSigning, withFileContents } from './wiring/file-contents.ts';
import type { Around } from './wiring/worker.ts';

/** How long requests are still taken, while /readyz says that others should be sent elsewhere. */
const LEAVE_MS = 250;
/** How long connections are kept that clients opened before and may still use. */
const IDLE_MS = 1_000;
const DRAIN_MS = 8_000;
/** How long mails under way are waited for: a server that hangs must not hold up the end. */
const MAILS_MS = 5_000;
const NOTHING_IS_KEPT =
  'STORE=memory: nothing is kept. All data is in the memory of this one process and is gone when it ends; for trials and tests only.';

export interface Startup extends Omit<StorageContext, 'selfTracer'> {
  readonly context: WorkContext;
  readonly strayFailures: StrayFailures;
  /** Ends the process in order. */
  crash(why: string): void;
}

/** Starts from the outside in and hands each part's way to end to `shutdown`, which runs them in the opposite order. */
export async function bringUp(asked: Startup): Promise<void> {
  const plugins = await loadPlugins(asked.config.plugins, asked.context);
  checkSocialProviders(plugins, asked.config.socialProviders);
  const modelPrices = readModelPrices(asked.config.modelPricesFile);
  const installation = Promise.withResolvers<string>();
  const selfTracer = await openSelfTracer(asked, installation.promise);
  const startup = { ...asked, selfTracer, config: await openDataDir(asked.config, asked.shutdown) };
  const credentials = new CredentialsFile(startup.config);
  const loaded = { plugins, modelPrices, selfTracer, installation: installation.promise };
  const given = await gather(startup, credentials, loaded);
  const openStorage = startup.config.store === 'memory' ? openMemoryStorage : openPostgresStorage;
  const { storage, service } = await openStorage(startup, (adapters) => build(startup, given, adapters, credentials));
  installation.resolve(await nameInstallation(service.cradle, startup.config));
  endInOrder(service.cradle, startup);
  const http = await listen(service.cradle, storage, startup);
  storage.onGone(startup.crash);
  await startWork(service.cradle, startup);
  if (service.notice !== undefined) console.log(service.notice);
  if (startup.config.store === 'memory') console.log(NOTHING_IS_KEPT);
  console.log(`listening on ${http.url}`);
}

/** Collects the container's contents beside the stores: the configuration as the services take it, secrets, and outbound clients. */
async function gather(
  { config, log, context, shutdown }: Startup,
  credentials: CredentialsFile,
  loaded: Pick<Given, 'plugins' | 'modelPrices' | 'selfTracer' | 'installation'>,
): Promise<Given> {
  const { socialProviders, pluginSettings, publicUrl, traceIdleSeconds, sessionIdleSeconds } = config;
  const { judgeCallDays, maxProjectFileBytes, maxQueryRows, exportIntervalSeconds, exportMergeSeconds } = config;
  const accessTokenSecrets = await credentials.accessTokenSecrets();
  const secretKeys = new SecretKeys(config);
  const outbound = new SsrfGuardedOutbound({ allowed: config.allowedPrivateEndpoints });
  const identityOutbound = new SsrfGuardedOutbound({ allowed: [...config.allowedPrivateEndpoints, ...hostsIn(socialProviders)] });
  shutdown.add(() => outbound.close());
  shutdown.add(() => identityOutbound.close());
  return {
    ...loaded,
    ...{ socialProviders, pluginSettings, publicUrl, traceIdleSeconds, sessionIdleSeconds },
    ...{ judgeCallDays, maxProjectFileBytes, maxQueryRows, exportIntervalSeconds, exportMergeSeconds },
    fileUrlSigning: toFileUrlSigning(config.fileStore),
    exportTarget: config.exportTo === undefined ? undefined : openObjectStore(config.exportTo, config.exportBucket),
    version: readVersion(),
    log: contextLog(log, context),
    workContext: context,
    accessTokenSecrets,
    secretBox: new AesSecretBox(() => secretKeys.read()),
    outbound,
    identityOutbound,
    mailer: getMailer(config),
    otlpSettings: config.otlp,
  };
}

/** Spans of the service's own work, where a collector of them is set. */
async function openSelfTracer({ config, shutdown }: Startup, installation: Promise<string>): Promise<SelfTracer> {
  if (!config.selfTrace) return NO_SELF_TRACER;
  const { OtelSelfTracer } = await import('../adapters/telemetry/otel-self-tracer.ts');
  const tracer = await OtelSelfTracer.open(config.selfTrace, readVersion(), installation);
  shutdown.add(() => tracer.close());
  return tracer;
}

/** All instances on one database are one installation; in memory each is one of its own. */
const nameInstallation = async ({ accessStore }: Cradle, { store }: Config): Promise<string> =>
  store === 'memory' ? randomUUID() : (await accessStore.organization()).id;

function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Wires the service, and makes sure of what it starts with. */
async function build(
  { config, strayFailures }: Startup,
  given: Given,
  adapters: Registrations<Adapters>,
  credentials: CredentialsFile,
) {
  const { cradle } = buildContainer(given, withFileContents(adapters, config.fileStore));
  strayFailures.redactBy((text) => cradle.providerOpener.redacted(text));
  if (config.organizationName !== undefined) await cradle.accessStore.renameOrganization(config.organizationName);
  await cradle.secretRotation.verify();
  const notice = await bootstrap(cradle, credentials, config.store);
  await cradle.presetSeeding.seed(cradle.scorerKinds.presets);
  return { cradle, notice };
}

async function bootstrap(cradle: Cradle, file: CredentialsFile, store: Config['store']): Promise<string | undefined> {
  if (!(await cradle.accessService.isEmpty())) return undefined;
  const { email, password, apiKey } = await file.firstAdmin();
  const made = await cradle.accessService.bootstrap({ email, password, api_key: apiKey });
  if (!made) return undefined;
  const where = store === 'memory' ? `in ${file.path} until the end` : `kept in ${file.path}`;
  return `first start: made the administrator ${email}\n  password: ${password}\n  API key:  ${apiKey}\n  (${where})`;
}

function endInOrder(cradle: Cradle, { shutdown }: Startup): void {
  shutdown.add(() => cradle.codeSandbox.close());
  shutdown.add(() => cradle.codeLanguages.close());
  shutdown.add(() => Promise.race([cradle.verificationMails.settled(), sleep(MAILS_MS)]));
}

async function listen(cradle: Cradle, storage: Storage, { config, log, shutdown }: Startup): Promise<HttpServer> {
  let draining = false;
  const deps = {
    settings: { ...config, checkBulkReplies: false, uploadFolder: config.dataDir },
    otlpMaxBodyBytes: config.otlp.maxBodyBytes,
    servesApi: config.role !== 'worker',
    pages: consolePages(),
    gauges: [...storage.gauges, ...backupGauges(config.dataDir)],
    log,
    ready: async () => !draining && (await storage.isReady()),
    failure: () => storage.failure(),
    explainFailure: (error: unknown) => storage.explainFailure(error),
  };
  const edge = openEdge(cradle, deps.settings);
  const http = await HttpServer.listen(buildServiceApp(cradle, edge, deps), config);
  const { grpcPort } = config.otlp;
  if (grpcPort !== undefined && deps.servesApi) {
    const grpc = await listenForGrpc(cradle, edge, deps, { host: config.host, port: grpcPort });
    shutdown.add(() => grpc.drain({ limitMs: DRAIN_MS }));
    console.log(`OTLP over gRPC on ${grpc.target}`);
  }
  shutdown.add(async () => {
    draining = true;
    cradle.playgroundService.stop();
    await http.drain({ leaveMs: LEAVE_MS, idleMs: IDLE_MS, limitMs: DRAIN_MS });
  });
  return http;
}

/** Jobs are taken, and periodic work is done, unless the process serves requests alone; some of it every process has to do. */
async function startWork(cradle: Cradle, { config, context, log, shutdown }: Startup): Promise<void> {
  const takesWork = config.role !== 'api';
  const { selfTracer } = cradle;
  const around: Around = (facts, work) => context.run(facts, () => selfTracer.rootSpan('job', facts, work));
  if (takesWork) for (const each of workers(cradle)) await each.start(around);
  const { folder, hours } = config.backupVerification;
  const verifiers: BackgroundWork[] =
    folder === undefined ? [] : [new BackupVerifier({ dataDir: config.dataDir, folder, hours, log })];
  const own = [...verifiers, new MemoryRelease()];
  for (const work of [...backgroundWork(cradle), ...own].filter(({ everywhere }) => everywhere || takesWork)) {
    const loop = new BackgroundLoop(work, log);
    shutdown.add(() => loop.stop());
  }
}
