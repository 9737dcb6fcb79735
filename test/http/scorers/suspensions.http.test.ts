import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Suspension } from '../../../core/scorers/scoring/suspension.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { scorerFixture } from './scorer-fixture.ts';

let server: TestServer;
const fixture = scorerFixture(() => server);
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A scorer with two versions, both switched off in two projects. */
async function switchedOff() {
  const { id } = await fixture.create();
  const versions = [await fixture.upload(id), await fixture.upload(id, 'const scorer = () => 1;')].map(
    (version) => version.id as string,
  );
  const projects = [await fixture.run(), await fixture.run()].map(({ project_id }) => project_id);
  for (const project_id of projects) {
    for (const scorer_version_id of versions) {
      const facts = { reason: 'timed_out', message: 'ten in a row', suspended_at: new Date().toISOString() } as const;
      await server.cradle.suspensionStore.insert({ project_id, scorer_id: id, scorer_version_id, ...facts });
    }
  }
  return {
    id: id as string,
    versions,
    resume: (body?: object) => server.request('POST', `/v2/scorers/${id}/resume`, body),
    left: async (): Promise<string[]> => {
      const { body } = await server.request('GET', `/v2/scorers/${id}/suspensions`);
      return body.suspensions.map(({ scorer_version_id }: Suspension) => scorer_version_id).sort();
    },
  };
}

const refused = (code: string) => ({ status: 404, body: { code } });

describe('switching a scorer on again', () => {
  it('concerns one version in all projects when the body names it, and leaves the others switched off', async () => {
    const { versions, resume, left } = await switchedOff();
    const [first, second] = versions as [string, string];
    const { status, body } = await resume({ scorer_version_id: first });
    expect(status).toBe(200);
    expect(body.suspensions.map(({ scorer_version_id }: Suspension) => scorer_version_id)).toEqual([first, first]);
    expect(await left()).toEqual([second, second]);
    expect(await resume({ scorer_version_id: first })).toMatchObject({ status: 200, body: { suspensions: [] } });
    expect(await left()).toEqual([second, second]);
  });

  it.each([
    ['no body', undefined],
    ['an empty body', {}],
    ['null for the version', { scorer_version_id: null }],
  ])('concerns all versions with %s', async (_what, body) => {
    const { resume, left } = await switchedOff();
    expect((await resume(body)).body.suspensions).toHaveLength(4);
    expect(await left()).toEqual([]);
  });

  it('is refused for a version that is none of the scorer, and for what is no id, and changes nothing', async () => {
    const [mine, other] = [await switchedOff(), await switchedOff()];
    for (const scorer_version_id of [randomUUID(), other.versions[0], mine.id])
      expect(await mine.resume({ scorer_version_id })).toMatchObject(refused('scorer_version_not_found'));
    for (const scorer_version_id of ['x', 1, [mine.versions[0]]])
      expect(await mine.resume({ scorer_version_id })).toMatchObject({ status: 422 });
    const nobody = await server.request('POST', `/v2/scorers/${randomUUID()}/resume`, { scorer_version_id: mine.versions[0] });
    expect(nobody).toMatchObject(refused('scorer_not_found'));
    for (const { left } of [mine, other]) expect(await left()).toHaveLength(4);
  });
});
