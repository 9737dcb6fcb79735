import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { PATIENCE_MS } from '../test/setup/timing.ts';
import { connect } from './api.ts';
import { SCORERS, toSource } from './demo-scorers.ts';
import { fakeService } from './fake-service.ts';
import { painter } from './report.ts';
import { readSample, walk } from './sample.ts';
import { getApiKey, probeService, toServiceUrl, untilReady } from './service.ts';
import { show } from './show.ts';

const KEY = 'key-of-the-test';
const sample = readSample();
const records = sample.flatMap(({ traces }) => traces.flatMap((trace) => [...walk(trace)]));

let service: Awaited<ReturnType<typeof fakeService>> | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

async function run(options: { silent?: string; waitMs?: number } = {}) {
  service ??= await fakeService(KEY, options);
  const lines: string[] = [];
  const shown = await show(connect(service.url, KEY), sample, {
    print: (text) => lines.push(text),
    paint: painter(false),
    waitMs: options.waitMs ?? PATIENCE_MS,
    pauseMs: 5,
  });
  return { service, shown, text: lines.join('\n') };
}

it('sends every record, waits for all scores and prints a line per trace', async () => {
  const { service, shown, text } = await run();
  expect(service.records.size).toBe(records.length);
  expect(shown.pending).toBe(0);
  expect(text).toMatch(/^accessibility\s+truncated\s/m);
  expect(text).toMatch(/^investigate-alert\s+apology\s+0\.50\s+3\/3\s/m);
  for (const scorer of SCORERS) expect([...service.code.values()]).toContain(toSource(scorer));
});

it('changes nothing when it runs again', async () => {
  const { service } = await run();
  const before = service.calls.length;
  await run();
  const again = service.calls.slice(before);
  expect(again.filter((call) => call.startsWith('PATCH') || /^POST .*\/(projects|scorers|log_streams|code)$/.test(call))).toEqual(
    [],
  );
  expect(service.records.size).toBe(records.length);
});

it('says so when scores do not come in time', async () => {
  const { shown, text } = await run({ silent: 'tool_call_failed', waitMs: 1_500 });
  expect(shown.pending).toBe(records.filter(({ type }) => type === 'tool').length);
  expect(text).toContain(`${shown.pending} pending`);
  expect(text).toContain('the table is not complete');
});

it('leaves a foreign scorer of the same name alone', async () => {
  service = await fakeService(KEY);
  service.made.scorers.push({ name: 'reply_quality', tags: [] });
  await expect(run()).rejects.toThrow("a code scorer named reply_quality exists and is not the demo's");
});

it('shows the reason of a refusal', async () => {
  service = await fakeService(KEY);
  await expect(connect(service.url, 'wrong').get('/projects?')).rejects.toThrow('answered 401: the key is not known');
});

it('runs as a program against a service that is there', async () => {
  service = await fakeService(KEY);
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(service.port), ADMIN_API_KEY: KEY };
  const { stdout } = await promisify(execFile)(process.execPath, [new URL('run.ts', import.meta.url).pathname, '--once'], {
    env,
  });
  expect(stdout).toContain(`using the service that runs at ${service.url}`);
  expect(stdout).toContain('0 failed, 0 pending');
  expect(stdout).toContain(`${service.url}/docs`);
  expect(stdout).not.toContain(KEY);
  expect(stdout).not.toContain('\u001b[');
});

it('finds the address and the key, and knows an absent service', async () => {
  expect(toServiceUrl({})).toBe('http://127.0.0.1:8088');
  expect(toServiceUrl({ HOST: '0.0.0.0', PORT: '9000' })).toBe('http://127.0.0.1:9000');
  expect(toServiceUrl({ HOST: '::1' })).toBe('http://[::1]:8088');
  expect(getApiKey({ ADMIN_API_KEY: 'k' })).toBe('k');
  expect(() => getApiKey({ DATA_DIR: '/nowhere' })).toThrow('/nowhere/credentials.json cannot be read');
  service = await fakeService(KEY);
  expect(await probeService(service.url)).toBe('ready');
  const { url } = service;
  await service.close();
  service = undefined;
  expect(await probeService(url)).toBe('absent');
});

it('tells why a service of its own did not start', async () => {
  const own = { ended: Promise.resolve(1), stop: () => {}, lastLines: () => 'configuration is invalid' };
  await expect(untilReady('http://127.0.0.1:1', own)).rejects.toThrow('configuration is invalid');
});
