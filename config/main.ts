import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../adapters/http/app.ts';
import { consolePages } from '../adapters/http/console-pages.ts';
import { HttpServer } from '../adapters/http/http-server.ts';
import { AsyncWorkContext } from '../adapters/log/async-work-context.ts';
import { contextLog } from '../adapters/log/context-log.ts';
import { PinoLog } from '../adapters/log/pino-log.ts';
import { SsrfGuardedOutbound } from '../adapters/outbound/ssrf-guarded-outbound.ts';
import { explainFailure } from '../adapters/postgres/database/database-failure.ts';
import { DatabaseHeartbeat } from '../adapters/postgres/database/database-heartbeat.ts';
import { GroupWriter } from '../adapters/postgres/traces/group-writer.ts';
import { AesSecretBox } from '../adapters/security/aes-secret-box.ts';
import type { WorkContext } from '../core/kernel/ports.ts';
import { BackgroundLoop } from './background-loop.ts';
import { backgroundWork, buildContainer, type Container, workers } from './container.ts';
import type { Cradle } from './cradle.ts';
import { CredentialsFile, makeDataDir } from './credentials.ts';
import { type Database, openDatabase, openServer } from './database.ts';
import { type Config, readConfig } from './env.ts';
import { getMailer } from './mail.ts';
import { readModelPrices } from './model-prices.ts';
import { loadPlugins } from './plugins.ts';
import { SecretKeys } from './secret-keys.ts';
import { ShutdownSequence } from './shutdown-sequence.ts';
import { StrayFailures } from './stray-failures.ts';
import { postgresAdapters } from './wiring/postgres.ts';

/** How long requests are still taken, while /readyz says that others should be sent elsewhere. */
const LEAVE_MS = 250;
/** How long connections are kept that clients opened before and may still use. */
const IDLE_MS = 1_000;
const DRAIN_MS = 8_000;
/** Who asks whether the service is ready does not wait longer. */
const READY_MS = 1_000;
const JOBS_MS = 5_000;
/** How long mails under way are waited for: a server that hangs must not hold up the end. */
const MAILS_MS = 5_000;

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

async function bringUp(config: Config, { log, context, onBuilt }: StartContext, shutdown: ShutdownSequence): Promise<void> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const plugins = await loadPlugins(config.plugins, context);
  const modelPrices = readModelPrices(config.modelPricesFile);
  await makeDataDir(config.dataDir);
  const credentials = new CredentialsFile(config);
  const accessTokenSecrets = await credentials.accessTokenSecrets();
  const secretKeys = new SecretKeys(config);
  const secretBox = new AesSecretBox(() => secretKeys.read());
  const outbound = new SsrfGuardedOutbound({ allowed: config.allowedPrivateEndpoints });
  shutdown.add(() => outbound.close());
  const { socialProviders } = config;
  const opening = openServer(config, log);
  shutdown.add(() =>
    opening.then(
      (opened) => opened.stop(),
      () => undefined,
    ),
  );
  const server = await opening;

  let container: Container | undefined;
  let writer: GroupWriter | undefined;
  let notice: string | undefined;
  const wanted = { url: server.url, takesJobs: config.role !== 'api', log };
  const database = await openDatabase(wanted, async ({ orm, queues, sockets }) => {
    shutdown.add(() => orm.close(true));
    shutdown.add(() => queues.stop(JOBS_MS));
    const groupWriter = new GroupWriter({
      url: server.url,
      log,
      enqueueWithin: queues.scoring.enqueueWithin,
      stream: sockets.make,
    });
    writer = groupWriter;
    shutdown.add(() => groupWriter.close());
    const given = {
      version,
      log: contextLog(log, context),
      workContext: context,
      accessTokenSecrets,
      socialProviders,
      plugins,
      pluginSettings: config.pluginSettings,
      modelPrices,
      secretBox,
      outbound,
      mailer: getMailer(config),
      publicUrl: config.publicUrl,
      otlpSettings: config.otlp,
      traceIdleSeconds: config.traceIdleSeconds,
      sessionIdleSeconds: config.sessionIdleSeconds,
    };
    container = buildContainer(given, postgresAdapters({ orm, groupWriter, queues }));
    onBuilt(container);
    if (config.organizationName !== undefined) await container.cradle.accessStore.renameOrganization(config.organizationName);
    await container.cradle.secretRotation.verify();
    notice = await bootstrap(container.cradle, credentials);
    await container.cradle.presetSeeding.seed(container.cradle.scorerKinds.presets);
  });
  const { cradle } = container!;
  const heartbeat = new DatabaseHeartbeat({
    url: server.url,
    log,
    onUnresponsive: (why) => {
      database.sockets.cut(why);
      writer?.refuseWaiting(why);
    },
  });
  shutdown.add(() => heartbeat.stop());
  shutdown.add(() => cradle.codeSandbox.close());
  shutdown.add(() => Promise.race([cradle.verificationMails.settled(), sleep(MAILS_MS)]));

  const http = await listen({ config, cradle, database, heartbeat, log }, shutdown);
  server.onGone((why) => void crash(`the database server ended and cannot be started again: ${why}`, shutdown));
  if (config.role !== 'api') {
    for (const each of workers(cradle)) await each.start((facts, work) => context.run(facts, work));
  }
  for (const work of backgroundWork(cradle).filter(({ everywhere }) => everywhere || config.role !== 'api')) {
    const loop = new BackgroundLoop(work, log);
    shutdown.add(() => loop.stop());
  }
  if (notice !== undefined) console.log(notice);
  console.log(`listening on ${http.url}`);
}

async function bootstrap(cradle: Cradle, file: CredentialsFile): Promise<string | undefined> {
  if (!(await cradle.accessService.isEmpty())) return undefined;
  const { email, password, apiKey } = await file.firstAdmin();
  const made = await cradle.accessService.bootstrap({ email, password, api_key: apiKey });
  if (!made) return undefined;
  return `first start: made the administrator ${email}\n  password: ${password}\n  API key:  ${apiKey}\n  (kept in ${file.path})`;
}

interface Served {
  readonly config: Config;
  readonly cradle: Cradle;
  readonly database: Database;
  readonly heartbeat: DatabaseHeartbeat;
  readonly log: PinoLog;
}

async function listen({ config, cradle, database, heartbeat, log }: Served, shutdown: ShutdownSequence): Promise<HttpServer> {
  let draining = false;
  const { otlpService, otlpCodec } = cradle;
  const app = buildApp({
    settings: {
      ...config,
      presetNames: cradle.scorerKinds.presets.map(({ name }) => name),
      version: cradle.version,
      checkBulkReplies: false,
      uploadFolder: config.dataDir,
    },
    log,
    workContext: cradle.workContext,
    accessService: cradle.accessService,
    routes: config.role === 'worker' ? [] : cradle.routes,
    otlp:
      config.role === 'worker' ? undefined : { service: otlpService, codec: otlpCodec, maxBodyBytes: config.otlp.maxBodyBytes },
    pages: config.role === 'worker' ? undefined : consolePages(),
    gauges: [
      { name: 'touchstone_scoring_jobs', help: 'Scoring jobs waiting or under way.', read: () => cradle.scoringQueue.depth() },
      {
        name: 'touchstone_model_scoring_jobs',
        help: 'Jobs of judges waiting, for a model too, or under way.',
        read: () => cradle.modelScoringQueue.depth(),
      },
      {
        name: 'touchstone_tripped_circuits',
        help: 'Integrations whose circuit breaker is open or half open in this process.',
        read: async () => cradle.providerCalls.tripped(),
      },
      { name: 'touchstone_jobs', help: 'Other jobs waiting or under way.', read: () => cradle.jobQueue.depth() },
      {
        name: 'touchstone_write_queue_bytes',
        help: 'Bytes of records waiting to be written.',
        read: async () => cradle.writeQueue.queuedBytes,
      },
      { name: 'touchstone_index_backlog', help: 'Changes of records not indexed yet.', read: () => cradle.recordIndex.backlog() },
    ],
    ready: async () => !draining && !heartbeat.failure && (await within(READY_MS, database.orm.isConnected())),
    failure: () => heartbeat.failure,
    explainFailure,
  });
  const http = await HttpServer.listen(app, config);
  shutdown.add(async () => {
    draining = true;
    await http.drain({ leaveMs: LEAVE_MS, idleMs: IDLE_MS, limitMs: DRAIN_MS });
  });
  return http;
}

const within = (ms: number, answer: Promise<boolean>): Promise<boolean> =>
  Promise.race([answer, sleep(ms, false, { ref: false })]);

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
