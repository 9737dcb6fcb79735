import { afterAll, describe, expect, it } from 'vitest';
import { ACCESS_MATRIX } from '../access/access-matrix.ts';
import { exchange } from '../access/exchange.ts';
import { openAccessFixture } from '../access/open-fixture.ts';
import { expectOk } from '../access/plan.ts';
import { planCells } from '../access/plans.ts';
import { type Ids, type Row, toRowName } from '../access/row.ts';
import { getRoute } from '../access/run-matrix.ts';
import { ADMIN, startTestServer } from '../http/harness.ts';
import { type Document, everyField, requestSchemas, Shapes } from './request-shapes.ts';

/** Companion R2, R3: null is taken for every optional field of every operation, and unknown fields are ignored. */

const EXTRA = { an_unknown_field: { nested: [1, null] }, anUnknownField: 'x' };

const fixture = await openAccessFixture();
const document = (await fixture.server.request('GET', '/v2/openapi.json')).body as Document;
const shapes = new Shapes(document);
const bodies = new Set(requestSchemas(document).map(({ operation }) => operation));
const ROWS = ACCESS_MATRIX.filter(({ operation }) => bodies.has(operation));
afterAll(() => fixture.server.close());

describe('requests', () => {
  it.each(ROWS.map((row) => [toRowName(row), row] as const))('of %s take null for optional fields', async (_, row) => {
    const schema = shapes.ofOperation(row.operation);
    const given = await sent(row, (body) => body);
    expect(await sent(row, (body) => shapes.filled(schema, body, { nulls: true }))).toEqual(given);
    if (expectOk(row) < 300) expect(given.status).toBe(expectOk(row));
  });

  it.each(ROWS.map((row) => [toRowName(row), row] as const))('of %s may have unknown fields at every level', async (_, row) => {
    const schema = shapes.ofOperation(row.operation);
    const given = await sent(row, (body) => body);
    expect(await sent(row, (body) => shapes.filled(schema, body, { extra: EXTRA }))).toEqual(given);
  });
});

interface Outcome {
  readonly status: number | undefined;
  /** The code of the error, where the request of the row is one that fails. */
  readonly problem: string | undefined;
}

/** Sends the request of a row, with another body, for a caller and an object for which it comes to what the row says. */
async function sent(row: Row, change: (body: unknown) => unknown): Promise<Outcome> {
  const route = getRoute(fixture, row);
  for (const caller of fixture.callers.filter(({ name }) => name === 'API key' || name === 'administrator'))
    for (const [, make] of planCells({ fixtureServer: fixture, row, route, caller })) {
      const { status, ids, is_shown, has_bad_body } = await make();
      if (status !== expectOk(row) || is_shown === false || has_bad_body) continue;
      const changed: Row = { ...row, body: (named: Ids) => change(row.body?.(named) ?? {}) };
      const answer = await exchange(fixture.server.url, { row: changed, route }, await caller.headers(ids.project_id), ids);
      const isFailure = answer.status >= 400;
      return { status: answer.status, problem: isFailure ? JSON.parse(answer.text).code : undefined };
    }
  return { status: undefined, problem: 'nobody may' };
}

describe('the OpenAPI document', () => {
  it('lets every optional field of every JSON body be null and forbids no further ones', async () => {
    const server = await startTestServer();
    const { body } = await server.request('GET', '/v2/openapi.json');
    await server.close();
    const all = requestSchemas(body as Document);
    const problems = all.flatMap(({ operation, schema }) =>
      [...everyField(body as Document, schema)].flatMap(({ at, is_optional, takes_null, is_closed }) => [
        ...(is_optional && !takes_null ? [`${operation}: ${at} does not take null`] : []),
        ...(is_closed ? [`${operation}: ${at} takes no further fields`] : []),
      ]),
    );
    expect(problems).toEqual([]);
    expect(all.length).toBeGreaterThan(110);
  });

  it('has a row of the access matrix for every operation with a JSON body', () => {
    const named = new Set(ROWS.map(({ operation }) => operation));
    const left = requestSchemas(document).filter(({ operation }) => !named.has(operation));
    expect(left.map(({ operation }) => operation)).toEqual([]);
  });
});

describe('ingest by OpenTelemetry', () => {
  it.each([
    { resourceSpans: null },
    { resourceSpans: [], an_unknown_field: 1 },
    { resourceSpans: [{ resource: null, scopeSpans: null, schemaUrl: null }] },
    { resourceSpans: [{ resource: { attributes: null, own: 1 }, scopeSpans: [{ scope: null, spans: null, own: 1 }] }] },
  ])('takes null and unknown fields in %j', async (body) => {
    const project = (await fixture.server.request('POST', '/v2/projects', { name: JSON.stringify(body) })).body;
    const reply = await fetch(`${fixture.server.url}/otel/v1/traces`, {
      method: 'POST',
      headers: { 'service-api-key': ADMIN.api_key, 'content-type': 'application/json', project: project.name },
      body: JSON.stringify(body),
    });
    expect(reply.status, await reply.text()).toBe(200);
  });

  it.each([
    { resourceLogs: null },
    { resourceLogs: [], an_unknown_field: 1 },
    { resourceLogs: [{ resource: null, scopeLogs: null, schemaUrl: null }] },
    { resourceLogs: [{ resource: { attributes: null, own: 1 }, scopeLogs: [{ scope: null, logRecords: null, own: 1 }] }] },
  ])('takes null and unknown fields in log records as %j', async (body) => {
    const project = (await fixture.server.request('POST', '/v2/projects', { name: JSON.stringify(body) })).body;
    const reply = await fetch(`${fixture.server.url}/v1/logs`, {
      method: 'POST',
      headers: { 'service-api-key': ADMIN.api_key, 'content-type': 'application/json', project: project.name },
      body: JSON.stringify(body),
    });
    expect(reply.status, await reply.text()).toBe(200);
  });

  it.each([
    { resourceMetrics: null },
    { resourceMetrics: [], an_unknown_field: 1 },
    { resourceMetrics: [{ resource: null, scopeMetrics: null, schemaUrl: null }] },
    { resourceMetrics: [{ own: 1, scopeMetrics: [{ scope: null, metrics: null, own: 1 }] }] },
    { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: null, own: 1, sum: null, gauge: { dataPoints: null } }] }] }] },
  ])('takes null and unknown fields in metrics as %j', async (body) => {
    const reply = await fetch(`${fixture.server.url}/v1/metrics`, {
      method: 'POST',
      headers: { 'service-api-key': ADMIN.api_key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([reply.status, await reply.text()]).toEqual([200, '{}']);
  });
});
