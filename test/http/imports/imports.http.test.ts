import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedService, startService } from '../../../testing/start-service.ts';
import { ImportedProject, outline, runImport } from './import-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-imports-'));
const MAX_BODY = 100_000;
let service: StartedService;
beforeAll(async () => {
  service = await startService({ maxBodyBytes: MAX_BODY });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const observation = (trace: string, id: string, fields: object = {}) =>
  JSON.stringify({
    id,
    trace_id: trace,
    type: 'SPAN',
    name: id,
    start_time: '2026-03-02 09:15:00.000000',
    end_time: '2026-03-02 09:15:01.000000',
    ...fields,
  });

function file(name: string, lines: readonly string[], toBytes = (text: string): string | Buffer => text): string {
  writeFileSync(join(folder, name), toBytes(`${lines.join('\n')}\n`));
  return join(folder, name);
}

describe('touchstone import', () => {
  it('brings a trace together whose spans lie in several files, gzipped or not, children first', async () => {
    const one = file(
      'one.jsonl.gz',
      [observation('t', 'leaf', { parent_observation_id: 'middle' }), observation('u', 'other')],
      gzipSync,
    );
    const two = file('two.jsonl', [observation('t', 'root'), observation('t', 'middle', { parent_observation_id: 'root' })]);
    expect(await runImport(service, ['langfuse', one, two, '--project', 'spread'])).toMatchObject({ code: 0 });
    const traces = await (await ImportedProject.open(service, 'spread')).traces();
    expect(traces.map((trace) => outline(trace)).sort()).toEqual([
      ['trace other', '  workflow other'],
      ['trace root', '  workflow root', '    workflow middle', '      workflow leaf'],
    ]);
  });

  it('hangs a span whose parent did not come under its trace', async () => {
    const lines = file('orphan.jsonl', [observation('t', 'child', { parent_observation_id: 'gone' })]);
    expect(await runImport(service, ['langfuse', lines, '--project', 'orphans'])).toMatchObject({ code: 0 });
    const [trace] = await (await ImportedProject.open(service, 'orphans')).traces();
    expect(outline(trace!)).toEqual(['trace child', '  workflow child']);
  });

  it('brings the rest where the service refuses a trace, and ends with 1', async () => {
    const ids = Array.from({ length: 9 }, (_, at) => `t${at}`);
    const lines = ids.map((id, at) => observation(id, id, at === 4 ? { input: 'x'.repeat(2 * MAX_BODY) } : {}));
    const done = await runImport(service, ['langfuse', file('large.jsonl', lines), '--project', 'large']);
    expect(done).toMatchObject({ code: 1, report: { arrived: { traces: 8, spans: 8 } } });
    expect(Object.values(done.report.refused)).toEqual([1]);
    expect(done.report.examples[0]).toMatch(/^trace t4: /);
    expect(await (await ImportedProject.open(service, 'large')).traces()).toHaveLength(8);
  });

  it('says which lines it does not understand, and where they are', async () => {
    const lines = file('torn.jsonl', [observation('t', 'a'), '{"id": "b", ', '{"colour": "blue"}']);
    const done = await runImport(service, ['langfuse', lines, '--project', 'torn']);
    expect(done).toMatchObject({
      code: 1,
      report: { arrived: { spans: 1 }, not_understood: { 'not a JSON object': 1, 'a row with colour': 1 } },
    });
    expect(done.report.examples).toEqual([`${lines}:2: not a JSON object`, `${lines}:3: a row with colour`]);
  });

  it('cannot import what is not there', async () => {
    expect(await runImport(service, ['langfuse', join(folder, 'nothing'), '--project', 'x'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('cannot be read'),
    });
  });
});
