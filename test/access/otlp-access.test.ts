import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRequest } from '../fixtures/otel/otlp-bodies.ts';
import { toLogRequest } from '../fixtures/otel/otlp-log-bodies.ts';
import { send } from '../http/otel/otlp-client.ts';
import type { FixtureObject } from './fixture-object.ts';
import { giveRole, makeProject } from './fixtures/project-fixtures.ts';
import { type Fixture, openAccessFixture } from './open-fixture.ts';
import type { Role } from './row.ts';

// The endpoint of OpenTelemetry is no row of the matrix: it has no operation in the document of the API. Who may log
// traces is known from there; the same callers may do the same here.

const RELATIONS: readonly (Role | 'none')[] = ['none', 'viewer', 'annotator', 'editor', 'owner'];
const span = () => toRequest({ spans: [{ spanId: randomUUID().replaceAll('-', '').slice(0, 16) }] });

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openAccessFixture();
});
afterAll(() => fixture.server.close());

/** Credentials and no others: the client of the tests brings a key of its own unless it is told another. */
async function by(credentials: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>): Promise<number> {
  const { status } = await fetch(`${fixture.server.url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...credentials },
    body: JSON.stringify(span()),
  });
  return status;
}

/** The same for a log record of a span, by the second endpoint. */
async function logBy(credentials: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>): Promise<number> {
  const traceId = randomUUID().replaceAll('-', '');
  const { status } = await fetch(`${fixture.server.url}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...credentials },
    body: JSON.stringify(toLogRequest([{ traceId, spanId: traceId.slice(0, 16), body: 'x' }])),
  });
  return status;
}

/** Metrics of model calls, which are kept as series. */
async function measuredBy(
  credentials: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const time = `${BigInt(Date.now()) * 1_000_000n}`;
  const dataPoints = [{ asInt: '1', timeUnixNano: time }];
  const metrics = [{ name: 'gen_ai.client.calls', sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints } }];
  const { status } = await fetch(`${fixture.server.url}/v1/metrics`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...credentials },
    body: JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }),
  });
  return status;
}

async function mayLog({ ids }: FixtureObject, credentials: Readonly<Record<string, string>>): Promise<number> {
  const { status } = await fetch(`${fixture.server.url}/v2/projects/${ids.project_id}/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentials },
    body: JSON.stringify({ log_stream_id: ids.log_stream_id, traces: [{}] }),
  });
  return status;
}

async function mayMakeProject(credentials: Readonly<Record<string, string>>): Promise<number> {
  const { status } = await fetch(`${fixture.server.url}/v2/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentials },
    body: JSON.stringify({ name: randomUUID(), type: 'gen_ai' }),
  });
  return status;
}

describe('traces and log records by OpenTelemetry', () => {
  it('are taken from whoever may log traces, and from nobody else', async () => {
    const seen = new Set<string>();
    for (const caller of fixture.callers) {
      for (const relation of RELATIONS) {
        const fixtureObject = await makeProject(fixture, caller.user_id);
        const { project_id, log_stream_id, name, stream_name } = fixtureObject.ids;
        if (relation !== 'none') await giveRole(fixture.server, project_id, caller.user_id, relation);
        const credentials = await caller.headers(project_id);
        const before = await fixtureObject.picture();
        const byId = { 'project-id': project_id, 'logstream-id': log_stream_id };
        const byName = { project: encodeURIComponent(name), logstream: encodeURIComponent(stream_name) };
        const logged = await logBy(credentials, byId);
        const statuses = [await by(credentials, byId), await by(credentials, byName)];
        const changed = (await fixtureObject.picture()) !== before;
        const wanted = await mayLog(fixtureObject, credentials);
        const what = `${caller.name}, ${relation}`;
        // A name that the caller does not see is that of a project of their own, where they may make one.
        const wantedByName = wanted === 404 ? await mayMakeProject(credentials) : wanted;
        expect({ what, logged, statuses, changed }).toEqual({
          what,
          logged: wanted,
          statuses: [wanted, wantedByName],
          changed: wanted === 200,
        });
        seen.add(`${wanted}`);
      }
    }
    expect([...seen].toSorted()).toEqual(['200', '401', '403', '404']);
  });

  it('are metrics, too, which leave records as they are', async () => {
    const fixtureObject = await makeProject(fixture, fixture.host_id);
    const { project_id, log_stream_id } = fixtureObject.ids;
    const before = await fixtureObject.picture();
    const seen = new Set<number>();
    for (const caller of fixture.callers)
      for (const relation of RELATIONS) {
        const one = await makeProject(fixture, fixture.host_id);
        if (relation !== 'none') await giveRole(fixture.server, one.ids.project_id, caller.user_id, relation);
        const credentials = await caller.headers(one.ids.project_id);
        const headers = { 'project-id': one.ids.project_id!, 'logstream-id': one.ids.log_stream_id! };
        const measured = await measuredBy(credentials, headers);
        const names = await fixture.server.cradle.metricSeriesStore.names(one.ids.project_id!, one.ids.log_stream_id!);
        const wanted = await mayLog(one, credentials);
        const what = `${caller.name}, ${relation}`;
        expect({ what, measured, kept: names.length > 0 }).toEqual({ what, measured: wanted, kept: wanted === 200 });
        seen.add(measured);
      }
    expect([...seen].toSorted()).toEqual([200, 401, 403, 404]);
    const editor = await fixture.callers[0]!.headers(project_id);
    await measuredBy(editor, { 'project-id': project_id!, 'logstream-id': log_stream_id! });
    expect(await fixtureObject.picture()).toBe(before);
    expect(await measuredBy({}, {})).toBe(401);
  });

  it('go to no run of another project', async () => {
    const [own, other] = [await makeProject(fixture, fixture.host_id), await makeProject(fixture, fixture.host_id)];
    const before = [await own.picture(), await other.picture()];
    const headers = { 'project-id': own.ids.project_id, 'logstream-id': other.ids.log_stream_id };
    expect((await send(fixture.server, span(), { headers })).status).toBe(404);
    expect([await own.picture(), await other.picture()]).toEqual(before);
  });

  it('make a log stream only for those who may make one', async () => {
    const fixtureObject = await makeProject(fixture, fixture.host_id);
    const caller = fixture.callers.find(({ name }) => name === 'API key')!;
    await giveRole(fixture.server, fixtureObject.ids.project_id, caller.user_id, 'annotator');
    const credentials = await caller.headers(fixtureObject.ids.project_id);
    const before = await fixtureObject.picture();
    expect(await by(credentials, { 'project-id': fixtureObject.ids.project_id, logstream: 'new' })).toBe(403);
    expect(await fixtureObject.picture()).toBe(before);
  });
});
