import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../setup/timing.ts';
import {
  enableCodeScorer,
  endEverything,
  logTraces,
  makeDataDir,
  makeLogStream,
  newTrace,
  type Service,
  search,
  startService,
  until,
} from './service.ts';

/** The folder for temporary files of the service, and where its data folder would be. */
let temporary: string;
let dataDir: string;
let service: Service;

const start = () => startService(dataDir, { STORE: 'memory', TMPDIR: temporary, ADMIN_API_KEY: 'tsk_key_of_the_trial' });

beforeAll(async () => {
  temporary = await makeDataDir();
  dataDir = await makeDataDir();
});
afterEach(() => service?.kill());
afterAll(endEverything);

describe('STORE=memory npm start', () => {
  it('scores a trace from end to end, keeps nothing, and says so', async () => {
    service = await start();
    expect(service.run.stdout).toContain('STORE=memory: nothing is kept.');
    expect(await service.ask('GET', '/readyz')).toEqual({ status: 'ready' });
    const place = await makeLogStream(service);
    await enableCodeScorer(service, place, 'half', 'function scorer(record) { return record.output.length / 100; }');
    const trace = newTrace({ output: 'x'.repeat(50) });
    expect((await logTraces(service, place, [trace])).status).toBe(200);
    const found = await until(
      'a score',
      PATIENCE_MS,
      () => search(service, place, 'traces'),
      ([one]) => one?.metric_info.half?.status_type === 'success',
    );
    expect(found).toMatchObject([{ id: trace.id, metric_info: { half: { value: 0.5 } } }]);

    const [folder = ''] = await readdir(temporary);
    expect(await readdir(join(temporary, folder))).toEqual(['credentials.json', 'secret-keys.json']);
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(temporary)).toEqual([]);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('begins with nothing at every start, and takes files in by its temporary folder', async () => {
    service = await start();
    expect(await service.ask('GET', '/v2/projects')).toEqual([]);
    expect(service.run.stdout).toContain('first start: made the administrator');
    const form = new FormData();
    form.set('file', new File(['input\nhello\n'], 'rows.csv', { type: 'text/csv' }));
    form.set('name', 'rows');
    expect(await service.call('POST', '/v2/datasets', form)).toMatchObject({ status: 200, body: { num_rows: 1 } });
    expect(await service.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(temporary)).toEqual([]);
  });
});
