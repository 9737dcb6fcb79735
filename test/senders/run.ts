import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startFakeModel } from './fake-model.ts';
import { type RecordedRequest, startRecorder } from './otlp-recorder.ts';
import { SENDERS, type Sender } from './senders.ts';

/**
 * Installs senders into a temporary folder, lets them send what they send of calls to a model on loopback, and checks it as the
 * captured requests are checked. `--keep` puts it in their place.
 */
const run = promisify(execFile);
const SCRIPTS = join(import.meta.dirname, 'scripts');
const CAPTURED = 'test/fixtures/otel/captured/requests';
const INSTALLED = join(tmpdir(), 'otel-senders');
const TIMEOUT = 180_000;

const { values, positionals } = parseArgs({ options: { keep: { type: 'boolean', default: false } }, allowPositionals: true });

/** Of the environment, only what programs need to run: no exporter or key of the caller's own. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(PATH|HOME|LANG|TMPDIR|PIP_|NPM_|SSL_|HTTPS?_PROXY|NO_PROXY)/i.test(name)),
);

const isPython = ({ script }: Pick<Sender, 'script'>): boolean => script.endsWith('.py');

/** Returns the program that runs scripts of the sender; packages of earlier times are kept while they are the same. */
async function install({ id, packages, script }: Sender): Promise<string> {
  const folder = join(INSTALLED, id);
  const mark = join(folder, 'installed.txt');
  const python = join(folder, 'bin/python');
  const isInstalled = existsSync(mark) && readFileSync(mark, 'utf8') === packages.join('\n');
  mkdirSync(folder, { recursive: true });
  if (!script.endsWith('.py')) {
    if (!isInstalled) {
      writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
      await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: folder });
    }
    cpSync(SCRIPTS, join(folder, 'scripts'), { recursive: true });
  } else if (!isInstalled) {
    await run('python3', ['-m', 'venv', folder]);
    await run(python, ['-m', 'pip', 'install', '--quiet', ...packages], { maxBuffer: 2 ** 26 });
  }
  writeFileSync(mark, packages.join('\n'));
  return script.endsWith('.py') ? python : process.execPath;
}

function getEnvironment(model: string, recorder: string): NodeJS.ProcessEnv {
  const host = model.replace(/\/v1$/, '');
  return {
    ...inherited,
    PYTHONDONTWRITEBYTECODE: '1',
    OPENAI_BASE_URL: model,
    OPENAI_API_BASE: model,
    OPENAI_API_KEY: 'none',
    ANTHROPIC_BASE_URL: host,
    ANTHROPIC_API_KEY: 'none',
    GEMINI_BASE_URL: host,
    BEDROCK_BASE_URL: host,
    OTEL_SERVICE_NAME: 'svc',
    OTEL_EXPORTER_OTLP_ENDPOINT: recorder,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    LANGFUSE_BASE_URL: recorder,
    LANGFUSE_HOST: recorder,
    LANGFUSE_PUBLIC_KEY: 'key',
    LANGFUSE_SECRET_KEY: 'none',
    TRACELOOP_BASE_URL: recorder,
    TRACELOOP_API_KEY: 'none',
    TRACELOOP_TELEMETRY: 'false',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${recorder}/v1/traces`,
    CREWAI_DISABLE_TELEMETRY: 'true',
    CREWAI_TRACING_ENABLED: 'false',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    AGNO_TELEMETRY: 'false',
  };
}

/** The same number of bytes without what belongs to this machine, so that lengths in the encoding stay right. */
function withoutPaths({ base64, ...request }: RecordedRequest): RecordedRequest {
  let bytes = Buffer.from(base64, 'base64').toString('latin1');
  for (const path of [INSTALLED, homedir(), process.cwd()]) bytes = bytes.replaceAll(path, `/${'x'.repeat(path.length - 1)}`);
  return { ...request, base64: Buffer.from(bytes, 'latin1').toString('base64') };
}

async function getVersions(sender: Sender, program: string): Promise<string[]> {
  const names = sender.packages.map((name) => name.replace(/[[<].*/, ''));
  if (!isPython(sender)) {
    const at = (name: string) => join(INSTALLED, sender.id, 'node_modules', name, 'package.json');
    return names.map((name) => `${name} ${JSON.parse(readFileSync(at(name), 'utf8')).version}`);
  }
  const code = 'import sys, importlib.metadata as m\nfor n in sys.argv[1:]: print(n, m.version(n))';
  return (await run(program, ['-c', code, ...names])).stdout.trim().split('\n');
}

async function capture(sender: Sender, folder: string): Promise<void> {
  const program = await install(sender);
  const [model, recorder] = [await startFakeModel(), await startRecorder()];
  try {
    const scripts = isPython(sender) ? SCRIPTS : join(INSTALLED, sender.id, 'scripts');
    const { stdout, stderr } = await run(program, [join(scripts, sender.script)], {
      env: getEnvironment(model.url, recorder.url),
      timeout: TIMEOUT,
      maxBuffer: 2 ** 26,
      cwd: mkdtempSync(join(tmpdir(), 'otel-sender-')),
    });
    const requests = recorder.requests.filter(({ path }) => /\/v1\/(traces|logs)$/.test(path)).map(withoutPaths);
    console.info(`${sender.id}: ${requests.length} requests`, process.env.VERBOSE ? `${stdout}\n${stderr}` : '');
    const captured = { about: sender.label, sent_by: await getVersions(sender, program), requests };
    writeFileSync(join(folder, `${sender.id}.json`), `${JSON.stringify(captured, null, 2)}\n`);
  } finally {
    await Promise.all([model.close(), recorder.close()]);
  }
}

const wanted = SENDERS.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
const folder = values.keep ? CAPTURED : mkdtempSync(join(tmpdir(), 'otel-captured-'));
let failures = 0;
for (const sender of wanted) {
  await capture(sender, folder).catch((error: Error) => {
    failures += 1;
    console.error(`${sender.id} failed: ${error.message.slice(-3000)}`);
  });
}
if (!values.keep) {
  const arguments_ = ['vitest', 'run', '--project', 'unit', 'test/http/otel/otlp-senders.http.test.ts'];
  const { status } = spawnSync('npx', arguments_, { stdio: 'inherit', env: { ...process.env, SENDERS_CAPTURED: folder } });
  if (status !== 0) failures += 1;
}
process.exit(failures > 0 ? 1 : 0);
