import { execFile, spawn } from 'node:child_process';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackupManifest, readManifest } from '../../adapters/postgres/backup/manifest.ts';
import { FORMER_MIGRATIONS } from '../../adapters/postgres/database/former-migrations.ts';
import { bareEnvironment } from '../setup/compile-cache.ts';
import { PATIENCE_MS } from '../setup/timing.ts';
import { type FaultyModel, startFaultyModel } from './faulty-model.ts';
import { moreAcknowledged, startLoad } from './ingest-load.ts';
import {
  databasePid,
  enableCodeScorer,
  endEverything,
  logTraces,
  makeDataDir,
  makeLogStream,
  newTrace,
  type Place,
  print,
  type Service,
  search,
  startService,
  until,
} from './service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const HARD = 'tab\t, backslash \\N \\., nul \u0000, half \ud800, 😀, \r\n';
const BLOCKS = [
  { type: 'text', text: HARD },
  { type: 'file', file_id: 'f-1' },
];

let dataDir: string;
let backup: string;
let service: Service;
let place: Place;
let manifest: BackupManifest;
let model: FaultyModel;
let judge_id: string;

/** Runs one of the commands as an operator does. */
async function command(name: 'backup' | 'restore' | 'check-audit', dataDir: string, folder: string): Promise<string> {
  const env = { ...bareEnvironment(), DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  const { stdout } = await promisify(execFile)(process.execPath, [`cli/${name}.ts`, folder], { cwd: ROOT, env });
  return stdout;
}

/** Tokens of one call, as an SDK tells them of a minute ago. */
function usageMetric({ project_id, log_stream_id }: Place): object {
  const nanos = (agoMs: number) => `${BigInt(Date.now() - agoMs) * 1_000_000n}`;
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const point = {
    startTimeUnixNano: nanos(120_000),
    timeUnixNano: nanos(60_000),
    attributes: [text('gen_ai.request.model', 'small')],
    count: '1',
    sum: 42,
    explicitBounds: [100],
    bucketCounts: ['1', '0'],
  };
  const metric = { name: USAGE, unit: '{token}', histogram: { aggregationTemporality: 2, dataPoints: [point] } };
  const attributes = [text('eval.project.id', project_id), text('eval.logstream.id', log_stream_id)];
  return { resourceMetrics: [{ resource: { attributes }, scopeMetrics: [{ scope: { name: 'shop' }, metrics: [metric] }] }] };
}

const USAGE = 'gen_ai.client.token.usage';
const metricNames = async (of: Service): Promise<readonly string[]> => {
  const { project_id, log_stream_id } = place;
  const path = `/v2/projects/${project_id}/log_streams/${log_stream_id}/trends/metrics`;
  return (await of.ask<{ metrics: readonly string[] }>('GET', path)).metrics;
};

const secret = 'a-secret-that-only-its-key-opens';
const computeSums = ({ tables }: BackupManifest) => tables.map(({ name, rows, checksum }) => ({ name, rows, checksum }));

beforeAll(async () => {
  dataDir = await makeDataDir();
  backup = join(await makeDataDir(), 'backup');
  model = await startFaultyModel(new Set());
  service = await startService(dataDir, { ALLOWED_PRIVATE_ENDPOINTS: new URL(model.url).host });
  place = await makeLogStream(service);
  await enableCodeScorer(service, place, 'one', 'function scorer() { return 1; }');
  await enableCodeScorer(service, place, 'half', 'def scorer(output):\n    return 0.5\n', 'scorer.py');
  await service.ask('PUT', '/v2/integrations/openai', { token: secret });
  await service.ask('POST', '/v1/metrics', usageMetric(place));
  await logTraces(service, place, [newTrace({ input: HARD, output: BLOCKS, user_metadata: { note: HARD } })]);
  const states = async () => {
    const { one, half } = (await search(service, place, 'traces'))[0]?.metric_info ?? {};
    return [one?.status_type, half?.status_type];
  };
  await until('scoring', PATIENCE_MS, states, (both) => both.every((state) => state === 'success'));
  await remark();
  await auditJudge();
});
afterAll(async () => {
  await endEverything();
  await model.close();
});

const REMARK = 'wrong: tab\t, backslash \\N \\., 退款, 😀';

/** A comment and a shared bookmark on the trace. */
async function remark(): Promise<void> {
  const { project_id, log_stream_id } = place;
  const [trace] = await search(service, place, 'traces');
  const record_id = trace!.id;
  await service.ask('POST', `/v2/projects/${project_id}/comments`, { log_stream_id, record_id, text: REMARK });
  await service.ask('PUT', `/v2/projects/${project_id}/bookmarks/${record_id}`, { log_stream_id, is_shared: true });
}
const remarksOn = async (asked: Service) => ({
  ...(await asked.ask<{ comments: readonly object[] }>('GET', `/v2/projects/${place.project_id}/comments`)),
  ...(await asked.ask<{ bookmarks: readonly object[] }>('GET', `/v2/projects/${place.project_id}/bookmarks`)),
});

interface Audits {
  readonly audits: readonly { readonly status: string; readonly report: object | null }[];
}
const auditsOf = (asked: Service) => asked.ask<Audits>('GET', `/v2/scorers/${judge_id}/audits`);

/** A judge whose audit for bias has ended with a report. */
async function auditJudge(): Promise<void> {
  const settings = { endpoint: model.url, models: ['judge-1'], authentication_type: 'none' };
  await service.ask('PUT', '/v2/integrations/custom', settings);
  const facts = { name: 'polite', scorer_type: 'llm', scoreable_node_types: ['trace'], output_type: 'boolean' };
  judge_id = (await service.ask<{ id: string }>('POST', '/v2/scorers', facts)).id;
  const asks = { model_name: 'judge-1', num_judges: 1, user_prompt: 'Is this polite? {{output}}' };
  await service.ask('POST', `/v2/scorers/${judge_id}/version/llm`, asks);
  await service.ask('POST', `/v2/scorers/${judge_id}/audits`, { probes: ['formatting'] });
  await until(
    'auditing',
    PATIENCE_MS,
    () => auditsOf(service),
    ({ audits }) => audits[0]?.status === 'completed',
  );
}

describe('a backup', () => {
  it('is made of a service that is being written to, as of one moment', async () => {
    const other = await makeLogStream(service, place);
    const load = startLoad(service, other);
    await moreAcknowledged(load, 100);
    const before = load.told.acknowledged.size;
    await command('backup', dataDir, backup);
    const told = await load.stop();
    manifest = await readManifest(backup);
    const rows = manifest.tables.find(({ name }) => name === 'records')!.rows;
    // Each trace has one span, and all that was acknowledged before it began is in it.
    expect(rows % 2).toBe(0);
    expect(rows).toBeGreaterThanOrEqual(before * 2);
    print(`backup under load: ${rows} records, ${told.acknowledged.size - before} traces acknowledged meanwhile`);
    expect((await stat(backup)).mode & 0o077).toBe(0);
  });

  it('may be preceded by a check of the audit log of a service that runs', async () => {
    expect(await command('check-audit', dataDir, '')).toMatch(/\d+ lines, last hash [0-9a-f]+/);
    expect((await service.ask<{ broken_at: number | null }>('GET', '/v2/audit_log/check')).broken_at).toBeNull();
  });

  it('is not made over another one', async () => {
    await expect(command('backup', dataDir, backup)).rejects.toThrow(/exists already/);
  });
});

describe('a restored service', () => {
  let restoredDir: string;
  let rehearsals: string;

  beforeAll(async () => {
    restoredDir = join(await makeDataDir(), 'data');
    rehearsals = await makeDataDir();
    expect(await command('restore', restoredDir, backup)).toContain('checksums equal');
  });

  it('holds every table with the same rows and the same checksum', async () => {
    const again = join(await makeDataDir(), 'again');
    await command('backup', restoredDir, again);
    const second = await readManifest(again);
    expect(computeSums(second)).toEqual(computeSums(manifest));
    expect(second.sequences).toEqual(manifest.sequences);
    for (const name of ['metric_series', 'metric_series_hours', 'metric_streams'])
      expect(manifest.tables.find((table) => table.name === name)?.rows).toBe(1);
    expect(manifest.tables.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(200);
  });

  it('returns as the old one did, with its keys, texts and scores, and goes on', async () => {
    const restored = await startService(restoredDir, { BACKUP_VERIFY_FOLDER: backup, TMPDIR: rehearsals });
    expect(restored.key).toBe(service.key);
    expect(await search(restored, place, 'traces')).toEqual(await search(service, place, 'traces'));
    const [found] = await restored
      .ask<{ records: { input: string; output: object; user_metadata: { note: string } }[] }>(
        'POST',
        `/v2/projects/${place.project_id}/traces/search`,
        {
          log_stream_id: place.log_stream_id,
        },
      )
      .then(({ records }) => records);
    expect([found?.input, found?.output, found?.user_metadata.note]).toEqual([HARD, BLOCKS, HARD]);
    const remarks = await remarksOn(restored);
    expect(remarks).toEqual(await remarksOn(service));
    expect(remarks).toMatchObject({ comments: [{ text: REMARK }], bookmarks: [{ is_shared: true }] });
    expect(await metricNames(restored)).toContain(USAGE);
    // Starting would have failed without the key that opens the secret.
    expect(await restored.ask('GET', '/v2/integrations')).toEqual(await service.ask('GET', '/v2/integrations'));
    const kept = await auditsOf(restored);
    expect(kept).toEqual(await auditsOf(service));
    expect(kept.audits).toMatchObject([{ status: 'completed', report: { found: [], probes: [{ probe: 'formatting' }] } }]);
    expect((await logTraces(restored, place, [newTrace()])).status).toBe(200);
    const states = async () =>
      (await search(restored, place, 'traces')).flatMap(({ metric_info: { one, half } }) => [
        one?.status_type,
        half?.status_type,
      ]);
    await until('scoring', PATIENCE_MS, states, (all) => all.length === 4 && all.every((state) => state === 'success'));
    // Its worker verifies the backup that it was told of, on a server of its own.
    const figures = () => restored.call('GET', '/metrics').then(({ text }) => text);
    await until('verifying', PATIENCE_MS, figures, (all) => /^touchstone_backup_verification_success 1$/m.test(all));
    const { made_at } = manifest;
    expect(await figures()).toContain(`touchstone_good_backup_timestamp_seconds ${Date.parse(made_at) / 1000}\n`);
    await until(
      'removing',
      PATIENCE_MS,
      () => readdir(rehearsals),
      (names) => names.length === 0,
    );
    await restored.stop();
  });

  it('is refused where there is something already', async () => {
    await expect(command('restore', restoredDir, backup)).rejects.toThrow(/exists already/);
    for (const name of ['credentials.json', 'secret-keys.json']) await rm(join(restoredDir, name));
    await expect(command('restore', restoredDir, backup)).rejects.toThrow(/holds data already/);
  });
});

describe('a backup made before the migrations became one', () => {
  const restoreAs = async (migrations: readonly string[]): Promise<string> => {
    const path = join(backup, 'manifest.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, JSON.stringify({ ...manifest, migrations }));
    return command('restore', join(await makeDataDir(), 'data'), backup).finally(() => writeFile(path, text));
  };

  it('restores', async () => {
    const later = manifest.migrations.filter((name) => name !== 'm0001-schema');
    expect(await restoreAs([...FORMER_MIGRATIONS, ...later])).toContain('checksums equal');
  });

  it('is refused when it was made before the last of them', async () => {
    await expect(restoreAs(FORMER_MIGRATIONS.slice(0, -1))).rejects.toThrow(/before migration m0034-alert-channels/);
  });
});

describe('a verification on a server of its own', () => {
  const DAY_MS = 86_400_000;

  it('removes the folder and the server that a killed one left behind', async () => {
    const temporary = await makeDataDir();
    const env = { ...bareEnvironment(), DATA_DIR: await makeDataDir(), LOG_LEVEL: 'error', TMPDIR: temporary };
    const args = ['cli/touchstone.js', 'backup', '--verify', backup, '--json'];
    const killed = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'ignore' });
    const server = async () => {
      const [name] = await readdir(temporary);
      return name && databasePid(join(temporary, name));
    };
    const pid = await until('starting a server', PATIENCE_MS, server, (found) => found !== undefined && found !== '');
    killed.kill('SIGKILL');
    const [name = ''] = await readdir(temporary);
    const longAgo = new Date(Date.now() - DAY_MS);
    await utimes(join(temporary, name), longAgo, longAgo);
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
    expect(JSON.parse(stdout)).toMatchObject({ result: 'good', faults: [], backup });
    expect(await readdir(temporary)).toEqual([]);
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });
});

describe('a damaged backup', () => {
  it('is refused, by the file that was changed', async () => {
    const file = join(backup, 'tables/projects.copy.gz');
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(0, -1));
    await expect(command('restore', join(await makeDataDir(), 'data'), backup)).rejects.toThrow(/projects.copy.gz is damaged/);
    await writeFile(file, whole);
  });

  it('would be found out by its checksums if a row came out differently, and leaves nothing behind', async () => {
    const path = join(backup, 'manifest.json');
    const text = await readFile(path, 'utf8');
    const tables = manifest.tables.map((table) =>
      table.name === 'records' ? { ...table, checksum: `${table.checksum}1` } : table,
    );
    await writeFile(path, JSON.stringify({ ...manifest, tables }));
    const folder = join(await makeDataDir(), 'data');
    await expect(command('restore', folder, backup)).rejects.toThrow(/table records was restored with/);
    await writeFile(path, text);
    // The same folder is as good as new.
    expect(await command('restore', folder, backup)).toContain('checksums equal');
  });
});
