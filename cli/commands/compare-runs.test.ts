import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTouchstone } from '../../test/setup/command-line.ts';
import { eventually } from '../../test/setup/timing.ts';
import { type StartedService, startService } from '../../testing/start-service.ts';

const ROWS = 8;
let service: StartedService;
let dataset_id: string;
let project_id: string;
const scorers: string[] = [];

beforeAll(async () => {
  service = await startService();
  const csv = `input,mgt\n${Array.from({ length: ROWS }, (_, at) => `q${at},yes`).join('\n')}\n`;
  const raw = new FormData();
  raw.append('file', new Blob([csv]), 'rows.csv');
  raw.append('name', 'truths');
  dataset_id = (await service.request('POST', '/v2/datasets?format=csv', undefined, { raw })).body.id;
  project_id = (await service.request('POST', '/v2/projects', { name: 'compared', type: 'gen_ai' })).body.id;
  await addScorer('agrees', 'function scorer({ output }) { return output === "yes"; }');
  await addScorer('denies', 'function scorer({ output }) { return output !== "yes"; }');
  await addExperiment('right', ROWS);
  await addExperiment('wrong', 0);
});
afterAll(() => service.close());

async function addScorer(name: string, source: string): Promise<void> {
  const facts = { name, scorer_type: 'code', scoreable_node_types: ['trace'], output_type: 'boolean' };
  const { id } = (await service.request('POST', '/v2/scorers', facts)).body;
  const raw = new FormData();
  raw.append('file', new Blob([source]), 'scorer.js');
  expect((await service.request('POST', `/v2/scorers/${id}/version/code`, undefined, { raw })).status).toBe(200);
  scorers.push(id);
}

/** One trace for each row; `yes` of them answer yes. */
async function addExperiment(name: string, yes: number): Promise<void> {
  const given = { name, dataset: { dataset_id, version_index: 1 }, scorers: scorers.map((id) => ({ id })) };
  const { id } = (await service.request('POST', `/v2/projects/${project_id}/experiments`, given)).body;
  const traces = Array.from({ length: ROWS }, (_, at) => {
    return { input: `q${at}`, output: at < yes ? 'yes' : 'no', dataset_input: `q${at}` };
  });
  await service.request('POST', `/v2/projects/${project_id}/traces`, { experiment_id: id, traces });
}

const touchstone = (...args: readonly string[]) => runTouchstone(service, ['compare', '--project', 'compared', ...args]);

describe('touchstone compare', () => {
  it('ends with 1 when a run is worse than the first one, and with 0 when it is better', async () => {
    await eventually(async () => {
      const { runs } = JSON.parse((await touchstone('right', 'wrong', '--scorer', 'agrees', '--json')).out);
      expect(runs.map(({ rows }: { rows: number }) => rows)).toEqual([ROWS, ROWS]);
    });
    const worse = await touchstone('right', 'wrong', '--scorer', 'agrees');
    expect(worse).toMatchObject({ code: 1, err: '' });
    expect(worse.out).toContain('1 beside 0');
    expect(worse.out).toMatch(/by mcnemar exact(.|\n)* worse\n/);
    const better = await touchstone('wrong', 'right', '--scorer', 'agrees', '--json');
    expect(better.code).toBe(0);
    expect(JSON.parse(better.out)).toMatchObject({ comparisons: [{ verdict: 'better', rows: ROWS, difference: 1 }] });
  });

  it('compares several scorers of one run, and each pair where that is wanted', async () => {
    await eventually(async () => {
      const { out } = await touchstone('right', '--scorer', 'agrees', '--scorer', 'denies', '--json');
      expect(JSON.parse(out)).toMatchObject({ runs: [{ rows: ROWS }, { rows: ROWS }], comparisons: [{ verdict: 'worse' }] });
    });
    const all = await touchstone('right', 'wrong', '--scorer', 'agrees', '--scorer', 'denies', '--all-pairs', '--json');
    expect(JSON.parse(all.out).comparisons).toHaveLength(6);
  });

  it('ends with 2 when it cannot be done: no scorer, one run alone, an unknown run, a test that does not fit', async () => {
    expect(await touchstone('right', 'wrong')).toMatchObject({ code: 2, err: expect.stringContaining('--scorer is missing') });
    expect(await touchstone('right', '--scorer', 'agrees')).toMatchObject({ code: 2, err: expect.stringContaining('two runs') });
    const unknown = await touchstone('right', 'nowhere', '--scorer', 'agrees');
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('no experiment called nowhere') });
    const unfit = await touchstone('right', 'wrong', '--scorer', 'agrees', '--test', 'paired_t');
    expect(unfit).toMatchObject({ code: 2, err: expect.stringContaining('mcnemar') });
  });
});
