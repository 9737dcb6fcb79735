import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { allowDatabases } from '../setup/allow-databases.ts';
import { queryAt } from '../setup/query-at.ts';
import { silent } from '../setup/silent.ts';
import { type Environment, endEverything, makeDataDir, type Service, startService, until } from './service.ts';

let server: EmbeddedPostgres;
let folder: string;

beforeAll(async () => {
  folder = await makeDataDir();
  server = await startEmbeddedPostgres({ dataDir: await makeDataDir(), log: silent, serverSettings: { fsync: 'off' } });
  await allowDatabases(server);
});
afterAll(async () => {
  await endEverything();
  await server?.stop();
});

async function settings(): Promise<Environment> {
  const url = new URL(server.url);
  url.pathname = `/faults_${randomBytes(6).toString('hex')}`;
  await queryAt(server.url, `create database ${url.pathname.slice(1)}`);
  return {
    DATABASE_URL: url.href,
    ADMIN_API_KEY: 'tsk_key_of_faults',
    ACCESS_TOKEN_SECRET: 'a secret of at least thirty-two characters',
  };
}

/** A module with one model provider, as somebody outside would write it. */
async function pluginModule(id: string, { fields = '', act = 'async () => {}', top = '' }): Promise<string> {
  const path = join(folder, `${id}.mjs`);
  await mkdir(folder, { recursive: true });
  await writeFile(
    path,
    `import { defineModelProvider, z } from 'touchstone/plugin-sdk';
    ${top}
    export const plugin = defineModelProvider({
      id: '${id}', sdk: 1, stability: 'experimental', label: 'Of the tests', summary: 'A provider that fails.',
      settings: z.object({ mode: z.string(), ${fields} }),
      create: (host, { mode }) => {
        const act = ${act};
        return {
          complete: (request) => act(request.signal).then(() => ({ text: 'yes', usage: {}, finish_reason: 'stop', model: 'm' })),
          models: (signal) => act(signal).then(() => [{ name: 'm', for_scorers: true }]),
          check: (signal) => act(signal),
        };
      },
    });`,
  );
  return path;
}

const FAULTS = `
  const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const faults = {
    throws: () => { throw new TypeError('thrown at once'); },
    late: () => new Promise((_, reject) => setTimeout(() => reject(new Error('far too late')), 11_000)),
    timer: async () => { setTimeout(() => { throw new Error('thrown by a timer'); }, 20); },
    floating: async () => { later(20).then(() => { throw new Error('left floating'); }); },
    emitter: async () => {
      const { EventEmitter } = await import('node:events');
      const emitter = new EventEmitter();
      setTimeout(() => emitter.emit('error', new Error('emitted to nobody')), 20);
    },
    flood: async () => { for (let at = 0; at < 500; at += 1) setTimeout(() => { throw new Error('one of many'); }, 20); },
  };
`;

const put = (service: Service, provider: string, name: string, mode: string) =>
  service.ask('PUT', `/v2/integrations/${provider}?name=${name}`, { mode });
const getStatus = (service: Service, name: string) =>
  service.ask<{ status: string; error?: string }>('GET', `/v2/integrations/${name}/status`);
const logged = (service: Service, words: string) =>
  until(
    'the line',
    20_000,
    async () => service.run.stderr.split('\n').filter((line) => line.includes(words)),
    (lines) => lines.length > 0,
  );

describe('a service with plugins that fail', () => {
  it('goes on answering when a plugin is gone, wants other settings, throws, is late, or fails behind everybody', async () => {
    const env = await settings();
    const dataDir = await makeDataDir();
    const gone = await pluginModule('gone', {});
    const changing = await pluginModule('changing', {});
    const faulty = await pluginModule('faulty', { top: FAULTS, act: '(signal) => faults[mode](signal)' });
    const first = await startService(dataDir, { ...env, PLUGINS: [gone, changing, faulty].join() });
    await put(first, 'gone', 'gone', 'any');
    await put(first, 'changing', 'changing', 'any');
    for (const mode of ['throws', 'late', 'timer', 'floating', 'emitter', 'flood']) await put(first, 'faulty', mode, mode);
    await first.stop();

    await pluginModule('changing', { fields: 'another: z.string(),' });
    const service = await startService(dataDir, { ...env, PLUGINS: [changing, faulty].join() });
    // Each call has ten seconds; what is left behind by one that failed at once comes to light when they are over.
    const late = getStatus(service, 'late');
    expect(await getStatus(service, 'gone')).toMatchObject({ status: 'inactive' });
    expect(await getStatus(service, 'changing')).toMatchObject({ status: 'inactive' });
    expect(await getStatus(service, 'throws')).toMatchObject({ status: 'inactive' });
    expect((await service.call('GET', '/v2/llm_integrations')).status).toBe(200);
    for (const mode of ['timer', 'floating', 'emitter']) await getStatus(service, mode);
    const [timer] = await logged(service, 'thrown by a timer');
    expect(JSON.parse(timer!)).toMatchObject({
      plugin: 'faulty',
      request_id: expect.any(String),
      error: expect.stringContaining('faulty.mjs'),
    });
    expect(JSON.parse((await logged(service, 'left floating'))[0]!)).toMatchObject({
      plugin: 'faulty',
      request_id: expect.any(String),
    });
    await logged(service, 'emitted to nobody');
    await getStatus(service, 'flood');
    await logged(service, 'silent_seconds');
    expect(await late).toMatchObject({ status: 'inactive' });
    // The late one rejects a second after it was given up.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(service.run.stderr.split('\n').filter((line) => line.includes('one of many')).length).toBeLessThan(11);
    expect(service.run.hasEnded).toBe(false);
    expect((await service.call('GET', '/readyz')).status).toBe(200);
    await service.ask('POST', '/v2/projects', { name: 'after all that' });
    expect(await service.stop()).toMatchObject({ code: 0 });
  }, 120_000);

  it('ends in order when its own code throws where nobody catches, and not when a promise of its own is rejected', async () => {
    const own = join(folder, 'own-fault.mjs');
    await writeFile(
      own,
      `process.on('SIGUSR2', () => { Promise.reject(new Error('a rejection of its own')); });
      process.on('SIGCONT', () => setTimeout(() => { throw new Error('a fault of its own'); }, 1));`,
    );
    const service = await startService(await makeDataDir(), {
      ...(await settings()),
      NODE_OPTIONS: `--import=${pathToFileURL(own).href}`,
    });
    service.run.signal('SIGUSR2');
    await logged(service, 'a rejection of its own');
    expect((await service.call('GET', '/readyz')).status).toBe(200);
    service.run.signal('SIGCONT');
    const { code, stderr } = await service.run.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^touchstone ends: Error: a fault of its own$/m);
    expect(stderr).not.toContain('touchstone ends: Error: a rejection of its own');
  }, 60_000);
});
