import { parseArgs } from 'node:util';
import { connect } from './api.ts';
import { painter } from './report.ts';
import { readSample } from './sample.ts';
import { credentialsFile, getApiKey, type OwnService, probeService, startService, toServiceUrl, untilReady } from './service.ts';
import { type Shown, show } from './show.ts';

const { values } = parseArgs({
  options: { once: { type: 'boolean', default: false }, wait: { type: 'string', default: '120' } },
});
const paint = painter(Boolean(process.stdout.isTTY) && !process.env.NO_COLOR);
const url = toServiceUrl(process.env);

const own = (await probeService(url)) === 'absent' ? startOwn() : undefined;
try {
  await untilReady(url, own);
  if (!own) console.log(`using the service that runs at ${url}`);
  const api = connect(url, getApiKey(process.env));
  const shown = await show(api, readSample(), { print: console.log, paint, waitMs: seconds(values.wait) * 1000 });
  // A table with holes is a failure for whoever runs this unattended.
  if (shown.pending > 0) process.exitCode = 1;
  sayWhereToLook(shown);
  if (own && !values.once) console.log('\nThe demo started the service and keeps it running; Ctrl-C stops it.');
  if (values.once) own?.stop();
} catch (error) {
  console.error(paint('red', getReason(error)));
  process.exitCode = 1;
  own?.stop();
}
if (own) {
  if ((await own.ended) !== 0) process.exitCode = 1;
  console.log('the service has stopped');
}

function startOwn(): OwnService {
  console.log(`no service at ${url}: starting one (the first start takes a little longer)`);
  const service = startService(process.env);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => service.stop());
  return service;
}

function sayWhereToLook({ project_id, trace_id }: Shown): void {
  // The key itself stays out of the terminal's history.
  const key = process.env.ADMIN_API_KEY
    ? '$ADMIN_API_KEY'
    : `$(node -p "require('${credentialsFile(process.env)}').admin_api_key")`;
  console.log(`\nThe traces with their scores, to look at: ${url}/#/projects/${project_id}`);
  console.log(`The whole interface: ${url}/docs`);
  console.log(
    `One trace with its spans and scores:\n  curl -s -H "Service-API-Key: ${key}" ${url}/v2/projects/${project_id}/traces/${trace_id}`,
  );
}

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--wait ${text} is not a number of seconds`);
  return value;
}

/** `fetch failed` says nothing; what is behind it does. */
function getReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
