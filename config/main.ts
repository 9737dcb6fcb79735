import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { consolePages } from '../adapters/http/console-pages.ts';
import { HttpServer } from '../adapters/http/http-server.ts';
import { AsyncWorkContext } from '../adapters/log/async-work-context.ts';
import { contextLog } from '../adapters/log/context-log.ts';
import { PinoLog } from '../adapters/log/pino-log.ts';
import { SsrfGuardedOutbound } from '../adapters/outbound/ssrf-guarded-outbound.ts';
import { AesSecretBox } from '../adapters/security/aes-secret-box.ts';
import type { WorkContext } from '../core/kernel/ports.ts';
import { BackgroundLoop } from './background-loop.ts';
import { backgroundWork, buildContainer, type Container, workers } from './container.ts';
import type { Cradle } from './cradle.ts';
import { CredentialsFile } from './credentials.ts';
import { openDataDir } from './data-dir.ts';
import { type Config, readConfig } from './env.ts';
import type { Given } from './given.ts';
import { getMailer } from './mail.ts';
import { openMemoryStorage } from './memory-storage.ts';
import { readModelPrices } from './model-prices.ts';
import { loadPlugins } from './plugins.ts';
import { openPostgresStorage } from './postgres-storage.ts';
import { SecretKeys } from './secret-keys.ts';
import { buildServiceApp } from './service-app.ts';
import { ShutdownSequence } from './shutdown-sequence.ts';
import type { Storage } from './storage.ts';
import { StrayFailures } from './stray-failures.ts';

/** How long requests are still taken, while /readyz says that others should be sent elsewhere. */
const LEAVE_MS = 250;
/** How long connections are kept that clients opened before and may still use. */
const IDLE_MS = 1_000;
const DRAIN_MS = 8_000;
/** How long mails under way are waited for: a server that hangs must not hold up the end. */
const MAILS_MS = 5_000;
const NOTHING_IS_KEPT =
  'STORE=memory: nothing is kept. All data is in the memory of this one process and is gone when it ends; for trials and tests only.';

try {
  await start();
} catch (error) {
  console.error(`touchstone cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

/** Starts from the outside in and hands each part's way to end to `shutdown`, which runs them in the opposite order. */
async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = new PinoLog(config.logLevel);
  const shutdown = new ShutdownSequence(log);
  const context = new AsyncWorkContext();
  endOnSignals(shutdown);
  let cradle: Cradle | undefined;
  const redact = (text: string): string => cradle?.providerOpener.redacted(text) ?? text;
  new StrayFailures({ log, context, redact, crash: (why) => void crash(why, shutdown) }).watch(process);
  const onBuilt = (built: Container): void => {
    cradle = built.cradle;
  };
  try {
    await bringUp(config, { log, context, onBuilt }, shutdown);
  } catch (error) {
    const asked = shutdown.hasBegun;
    await shutdown.run();
    // Whoever asked for the end ends the process; what failed here failed because of it.
    if (!asked) throw error;
  }
}

interface StartContext {
  readonly log: PinoLog;
  readonly context: WorkContext;
  onBuilt(container: Container): void;
}

async function bringUp(asked: Config, { log, context, onBuilt }: StartContext, shutdown: ShutdownSequence): Promise<void> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const plugins = await loadPlugins(asked.plugins, context);
  const modelPrices = readModelPrices(asked.modelPricesFile);
  const config = await openDataDir(asked, shutdown);
  const credentials = new CredentialsFile(config);
  const accessTokenSecrets = await credentials.accessTokenSecrets();
  const secretKeys = new SecretKeys(config);
  const outbound = new SsrfGuardedOutbound({ allowed: config.allowedPrivateEndpoints });
  shutdown.add(() => outbound.close());
  const given: Given = {
    version,
    log: contextLog(log, context),
    workContext: context,
    accessTokenSecrets,
    socialProviders: config.socialProviders,
    plugins,
    pluginSettings: config.pluginSettings,
    modelPrices,
    secretBox: new AesSecretBox(() => secretKeys.read()),
    outbound,
    mailer: getMailer(config),
    publicUrl: config.publicUrl,
    otlpSettings: config.otlp,
    traceIdleSeconds: config.traceIdleSeconds,
    sessionIdleSeconds: config.sessionIdleSeconds,
  };
  let built: Container | undefined;
  let notice: string | undefined;
  const openStorage = config.store === 'memory' ? openMemoryStorage : openPostgresStorage;
  const storage = await openStorage({ config, log, shutdown }, async (adapters) => {
    built = buildContainer(given, adapters);
    onBuilt(built);
    notice = await prepare(built.cradle, config, credentials);
    return built.cradle;
  });
  const { cradle } = built!;
  shutdown.add(() => cradle.codeSandbox.close());
  shutdown.add(() => Promise.race([cradle.verificationMails.settled(), sleep(MAILS_MS)]));

  const http = await listen({ config, cradle, storage, log }, shutdown);
  storage.onGone((why) => void crash(why, shutdown));
  if (config.role !== 'api') {
    for (const each of workers(cradle)) await each.start((facts, work) => context.run(facts, work));
  }
  for (const work of backgroundWork(cradle).filter(({ everywhere }) => everywhere || config.role !== 'api')) {
    const loop = new BackgroundLoop(work, log);
    shutdown.add(() => loop.stop());
  }
  if (notice !== undefined) console.log(notice);
  if (config.store === 'memory') console.log(NOTHING_IS_KEPT);
  console.log(`listening on ${http.url}`);
}

/** What an instance that starts makes sure of. Returns what the operator has to know of it. */
async function prepare(cradle: Cradle, config: Config, credentials: CredentialsFile): Promise<string | undefined> {
  if (config.organizationName !== undefined) await cradle.accessStore.renameOrganization(config.organizationName);
  await cradle.secretRotation.verify();
  const notice = await bootstrap(cradle, credentials, config.store);
  await cradle.presetSeeding.seed(cradle.scorerKinds.presets);
  return notice;
}

async function bootstrap(cradle: Cradle, file: CredentialsFile, store: Config['store']): Promise<string | undefined> {
  if (!(await cradle.accessService.isEmpty())) return undefined;
  const { email, password, apiKey } = await file.firstAdmin();
  const made = await cradle.accessService.bootstrap({ email, password, api_key: apiKey });
  if (!made) return undefined;
  const where = store === 'memory' ? `in ${file.path} until the end` : `kept in ${file.path}`;
  return `first start: made the administrator ${email}\n  password: ${password}\n  API key:  ${apiKey}\n  (${where})`;
}

interface Served {
  readonly config: Config;
  readonly cradle: Cradle;
  readonly storage: Storage;
  readonly log: PinoLog;
}

async function listen({ config, cradle, storage, log }: Served, shutdown: ShutdownSequence): Promise<HttpServer> {
  let draining = false;
  const app = buildServiceApp(cradle, {
    settings: { ...config, checkBulkReplies: false, uploadFolder: config.dataDir },
    otlpMaxBodyBytes: config.otlp.maxBodyBytes,
    servesApi: config.role !== 'worker',
    pages: consolePages(),
    log,
    ready: async () => !draining && (await storage.isReady()),
    failure: () => storage.failure(),
    explainFailure: (error) => storage.explainFailure(error),
  });
  const http = await HttpServer.listen(app, config);
  shutdown.add(async () => {
    draining = true;
    await http.drain({ leaveMs: LEAVE_MS, idleMs: IDLE_MS, limitMs: DRAIN_MS });
  });
  return http;
}

function endOnSignals(shutdown: ShutdownSequence): void {
  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(1);
      asked = true;
      void shutdown.run().then(() => process.exit(0));
    });
  }
}

async function crash(why: string, shutdown: ShutdownSequence): Promise<void> {
  console.error(`touchstone ends: ${why}`);
  await shutdown.run();
  process.exit(1);
}
