import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { scorerFixture } from '../../http/scorers/scorer-fixture.ts';
import { type PostgresService, startPostgresService } from '../../setup/postgres-service.ts';
import { eventually } from '../../setup/timing.ts';

/** Jobs of the one that goes, by far more than all workers take at once. */
const MANY = 2_000;
const FEW = 3;
/** Slots for judges that one project may hold, in a process of the tests. */
const MAX_BEGUN = 4;

let service: PostgresService;
let gate: PromiseWithResolvers<void>;
const fixture = scorerFixture(() => service);
beforeAll(async () => {
  service = await startPostgresService({ aroundJob: (work) => gate.promise.then(work) });
});
beforeEach(() => {
  gate = Promise.withResolvers();
});
afterAll(async () => {
  gate.resolve();
  await service.close();
});

interface Place {
  readonly project_id: string;
  readonly run_id: string;
}

/** Puts jobs for judges into the queue, as many as a worker would that hands them on. */
async function queue({ project_id, run_id }: Place, count: number, scorer_ids?: readonly string[]): Promise<void> {
  const data = { project_id, run_id, trace_ids: [randomUUID()], ...(scorer_ids && { scorer_ids }) };
  await service.session.sql(
    `insert into pgboss.job (name, group_id, data, expire_seconds, deletion_seconds)
     select 'model_scoring', $1, $2, 3600, 3600 from generate_series(1, $3::int)`,
    [project_id, JSON.stringify(data), count],
  );
}

interface Jobs {
  readonly queued: number;
  readonly begun: number;
}

async function jobsOf({ run_id }: Place): Promise<Jobs> {
  const [jobs] = await service.session.sql<Jobs>(
    `select count(*) filter (where state < 'active')::int as queued, count(*) filter (where started_on is not null)::int as begun
     from pgboss.job where data ->> 'run_id' = $1`,
    [run_id],
  );
  return jobs!;
}

/** Scorers deleted or switched off, with their waiting jobs, and those beside them that stay. */
interface Case {
  readonly gone: Place;
  readonly neighbour: Place;
  readonly scorer_ids?: readonly string[];
  end(): Promise<{ status: number }>;
}

const newRun = async (project_id: string, kind: 'log_streams' | 'experiments'): Promise<Place> => {
  const { body } = await service.request('POST', `/v2/projects/${project_id}/${kind}`, { name: randomUUID() });
  return { project_id, run_id: body.id };
};

const CASES: Record<string, () => Promise<Case>> = {
  'a project': async () => {
    const [gone, neighbour] = [await fixture.run(), await fixture.run()];
    return { gone, neighbour, end: () => service.request('DELETE', `/v2/projects/${gone.project_id}`) };
  },
  'a log stream': async () => {
    const neighbour = await fixture.run();
    const { project_id, run_id } = await newRun(neighbour.project_id, 'log_streams');
    const end = () => service.request('DELETE', `/v2/projects/${project_id}/log_streams/${run_id}`);
    return { gone: { project_id, run_id }, neighbour, end };
  },
  'an experiment': async () => {
    const neighbour = await fixture.run();
    const { project_id, run_id } = await newRun(neighbour.project_id, 'experiments');
    const end = () => service.request('DELETE', `/v2/projects/${project_id}/experiments/${run_id}`);
    return { gone: { project_id, run_id }, neighbour, end };
  },
  'the only scorer of a run': async () => {
    const [gone, neighbour] = [await fixture.run(), await fixture.run()];
    const { id } = await fixture.create();
    await fixture.upload(id);
    await gone.enable({ id });
    return { gone, neighbour, end: () => service.request('DELETE', `/v2/scorers/${id}`) };
  },
};

/** A run with two scorers, and jobs for one of them. */
async function withTwoScorers() {
  const [gone, neighbour] = [await fixture.run(), await fixture.run()];
  const [first, second] = [await fixture.create(), await fixture.create()];
  for (const { id } of [first, second]) await fixture.upload(id);
  for (const run of [gone, neighbour]) await run.enable({ id: first.id }, { id: second.id });
  return { gone, neighbour, first: first.id as string, second: second.id as string };
}

const SCORER_CASES: Record<string, () => Promise<Case>> = {
  'is deleted': async () => {
    const { gone, first, second } = await withTwoScorers();
    const neighbour = await fixture.run();
    await neighbour.enable({ id: second });
    return { gone, neighbour, scorer_ids: [first], end: () => service.request('DELETE', `/v2/scorers/${first}`) };
  },
  'is taken out of the settings of a run': async () => {
    const { gone, neighbour, first, second } = await withTwoScorers();
    const settings = `/v2/projects/${gone.project_id}/log_streams/${gone.run_id}/metric_settings`;
    const end = () => service.request('PATCH', settings, { scorers: [{ id: second }] });
    return { gone, neighbour, scorer_ids: [first], end };
  },
};

/** Waits until workers have taken what they may, which hangs at the gate, then ends it. */
async function endWithFullQueue({ gone, neighbour, scorer_ids, end }: Case): Promise<Jobs> {
  await queue(gone, MANY, scorer_ids);
  await queue(neighbour, FEW, scorer_ids);
  await eventually(async () => expect((await jobsOf(gone)).begun).toBeGreaterThan(0));
  expect((await end()).status).toBeLessThan(300);
  return jobsOf(gone);
}

describe('queued scoring jobs', () => {
  it.each(Object.entries(CASES))('are gone with %s, without being handed out; those of others stay', async (_what, prepare) => {
    const given = await prepare();
    expect(await endWithFullQueue(given)).toMatchObject({ queued: 0 });
    const { queued, begun } = await jobsOf(given.neighbour);
    expect(queued + begun).toBe(FEW);
    gate.resolve();
    await eventually(async () => expect(await jobsOf(given.neighbour)).toEqual({ queued: 0, begun: FEW }));
    expect((await jobsOf(given.gone)).begun).toBeLessThanOrEqual(MAX_BEGUN);
  });

  it.each(Object.entries(SCORER_CASES))(
    'for a scorer alone are gone when it %s; those for all scorers stay',
    async (_how, prepare) => {
      const given = await prepare();
      await queue(given.gone, FEW);
      expect((await endWithFullQueue(given)).queued).toBeLessThanOrEqual(FEW);
      gate.resolve();
      await eventually(async () => expect(await jobsOf(given.gone)).toMatchObject({ queued: 0 }));
      await eventually(async () => expect(await jobsOf(given.neighbour)).toEqual({ queued: 0, begun: FEW }));
      const { begun } = await jobsOf(given.gone);
      expect(begun).toBeGreaterThanOrEqual(FEW);
      expect(begun).toBeLessThanOrEqual(FEW + MAX_BEGUN);
    },
  );
});
