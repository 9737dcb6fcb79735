import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, type Reply } from '../http/harness.ts';
import { ENDPOINTS, type Endpoint, givenValue } from './interface-spec-endpoints.ts';
import { openSpecFixture, type SpecFixture, sourceForm } from './interface-spec-fixture.ts';
import { HTTPValidationError } from './interface-spec-shapes.ts';

/** Every statement of the interface specification that holds for a field or an endpoint, one after the other. */

let fixture: SpecFixture;
beforeAll(async () => {
  fixture = await openSpecFixture();
  const health = ENDPOINTS.find(({ name }) => name.endsWith('/health-score'))!;
  // The score is shown by `health-scores` later.
  expect((await send(health)).status).toBe(200);
});
afterAll(() => fixture.close());

type Fields = Readonly<Record<string, unknown>>;
interface Changes {
  /** In place of fields of the plain body; undefined leaves one out. */
  readonly body?: Fields;
  readonly path?: (path: string) => string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const methodOf = ({ name }: Endpoint): string => name.split(' ')[0]!;
const getParameters = ({ name }: Endpoint): string[] => [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);

async function send(
  endpoint: Endpoint,
  { body = {}, path = (plain) => plain, query = {}, headers }: Changes = {},
): Promise<Reply> {
  const { ids } = fixture;
  const ask = headers ? fixture.askWithout : fixture.server.request;
  const at = endpoint.name
    .split(' ')[1]!
    .replaceAll(/\{(\w+)\}/g, (_, parameter: string) => ids[endpoint.at?.[parameter] ?? parameter]!);
  const parameters = new URLSearchParams({ ...endpoint.query?.(ids), ...query });
  const url = `${path(at)}${parameters.size > 0 ? `?${parameters}` : ''}`;
  const fields = {
    ...endpoint.body?.(ids),
    ...(endpoint.name.endsWith('/social') ? { id_token: await fixture.id_token() } : {}),
    ...body,
  };
  const init = headers ? { headers } : {};
  if (!endpoint.body) return ask(methodOf(endpoint), url, undefined, init);
  if (endpoint.file === undefined) return ask(methodOf(endpoint), url, fields, init);
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return ask(methodOf(endpoint), url, undefined, {
    ...init,
    raw: sourceForm(Object.fromEntries(given) as Record<string, string>, endpoint.file),
  });
}

const segment = (text: string): RegExp => new RegExp(`/${text}(?=/|$)`);
const shown = ({ status, body }: Reply): string => `${status} ${JSON.stringify(body).slice(0, 400)}`;
const isTaken = (reply: Reply): void => expect(shown(reply)).toMatch(/^200 /);

function isRefused(reply: Reply, loc: readonly unknown[]): void {
  expect(shown(reply)).toMatch(/^422 /);
  HTTPValidationError.parse(reply.body);
  const places = reply.body.detail.map((issue: { loc: unknown[] }) => issue.loc.slice(0, loc.length));
  expect(places, JSON.stringify(reply.body.detail)).toContainEqual(loc);
}

const title = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80);
const rows = ENDPOINTS.map((endpoint) => [`${endpoint.name}${endpoint.at?.scorer_id ? ' (a judge)' : ''}`, endpoint] as const);

describe.each(rows)('%s', (_, endpoint) => {
  const fields = Object.entries(endpoint.fields ?? {});
  const required = fields.filter(([, { required }]) => required);
  const optional = fields.filter(([, { required }]) => !required);
  const isForm = endpoint.file !== undefined;

  it('returns 200 with JSON that has every field of the specification', async () => {
    const reply = await send(endpoint);
    isTaken(reply);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    endpoint.reply.parse(reply.body);
  });

  for (const [name, { takes }] of endpoint.own_case ? [] : fields)
    for (const value of takes)
      it(`takes ${name}: ${typeof value === 'function' ? 'what is made of ids' : title(value)}`, async () => {
        const reply = await send(endpoint, { body: { [name]: givenValue(value, fixture.ids) } });
        isTaken(reply);
        if (!/"(scorers|segment_filters)":\[\]/.test(JSON.stringify(reply.body))) endpoint.reply.safeParse(reply.body);
      });

  for (const [name, { refuses = [] }] of fields)
    it.each(refuses.map((value) => [title(value), value]))(`refuses ${name}: %s`, async (_title, value) => {
      isRefused(await send(endpoint, { body: { [name]: value } }), ['body', name]);
    });

  if (required.length > 0)
    it.each(required.map(([name]) => name))('refuses a request without %s', async (name) => {
      isRefused(await send(endpoint, { body: { [name]: undefined } }), ['body', name]);
      if (!isForm) isRefused(await send(endpoint, { body: { [name]: null } }), ['body', name]);
    });

  if (optional.length > 0 && !isForm)
    it.each(optional.map(([name]) => name).filter((name) => name !== 'log_stream_id'))(
      'needs no %s, and takes null',
      async (name) => {
        isTaken(await send(endpoint, { body: { [name]: undefined } }));
        isTaken(await send(endpoint, { body: { [name]: null } }));
      },
    );

  if (endpoint.body)
    it('ignores unknown fields of the body', async () => {
      isTaken(await send(endpoint, { body: { project_id: isForm ? '' : 'x', an_unknown_field: isForm ? 'x' : { a: 1 } } }));
    });

  if (isForm)
    it('needs a file', async () => {
      const form = new FormData();
      for (const [name, value] of Object.entries(endpoint.body!(fixture.ids))) form.set(name, String(value));
      const reply = await fixture.server.request('POST', endpoint.name.split(' ')[1]!, undefined, { raw: form });
      isRefused(reply, ['body', 'file']);
    });

  it('ignores query parameters that it does not know, and the parameters of the path among them', async () => {
    const repeated = getParameters(endpoint).map((name) => [name, fixture.ids[endpoint.at?.[name] ?? name]!]);
    isTaken(await send(endpoint, { query: { ...Object.fromEntries(repeated), an_unknown_parameter: 'x' } }));
  });

  if (getParameters(endpoint).length > 0)
    it.each(getParameters(endpoint))('refuses a malformed %s', async (name) => {
      const known = fixture.ids[endpoint.at?.[name] ?? name]!;
      isRefused(await send(endpoint, { path: (path) => path.replace(segment(known), '/malformed') }), ['path', name]);
    });

  if (getParameters(endpoint).length > 0)
    it.each(getParameters(endpoint))('does not find an unknown %s', async (name) => {
      const known = fixture.ids[endpoint.at?.[name] ?? name]!;
      const unknown = name === 'version_index' ? '999' : randomUUID();
      const reply = await send(endpoint, { path: (path) => path.replace(segment(known), `/${unknown}`) });
      expect(shown(reply)).toMatch(/^404 /);
      expect(reply.body.detail).toEqual(expect.any(String));
    });

  it('is served without /v2, too, and never redirects', async () => {
    isTaken(await send(endpoint, { path: (path) => path.replace('/v2', '') }));
    const slashed = await send(endpoint, { path: (path) => `${path}/` });
    expect(slashed.status < 300 || slashed.status >= 400, shown(slashed)).toBe(true);
  });

  if (endpoint.open)
    it('needs no credentials', async () => {
      isTaken(await send(endpoint, { headers: {} }));
    });
  else
    it('takes an API key, a bearer token and HTTP Basic, and nobody without', async () => {
      const { server } = fixture;
      const form = { username: ADMIN.email, password: ADMIN.password };
      const { access_token } = (await server.request('POST', '/login', form)).body;
      const basic = Buffer.from(`${ADMIN.email}:${ADMIN.password}`).toString('base64');
      isTaken(await send(endpoint, { headers: { 'service-api-key': ADMIN.api_key } }));
      isTaken(await send(endpoint, { headers: { authorization: `Bearer ${access_token}` } }));
      isTaken(await send(endpoint, { headers: { authorization: `Basic ${basic}` } }));
      const nobody = await send(endpoint, { headers: {} });
      expect(shown(nobody)).toMatch(/^401 /);
      expect(nobody.body.detail).toEqual(expect.any(String));
    });

  if (endpoint.paginated) {
    it('gives the first hundred unless asked otherwise', async () => {
      expect((await send(endpoint)).body).toMatchObject({
        starting_token: 0,
        limit: 100,
        paginated: false,
        next_starting_token: null,
      });
    });

    it('gives the page that is asked for', async () => {
      const page = (await send(endpoint, { query: { limit: '1', starting_token: '0' } })).body;
      expect(page).toMatchObject({ starting_token: 0, limit: 1 });
      expect(page.paginated).toBe(page.next_starting_token === 1);
      const beyond = (await send(endpoint, { query: { limit: '5', starting_token: '1000' } })).body;
      expect(beyond).toMatchObject({ starting_token: 1000, limit: 5, paginated: false, next_starting_token: null });
      const list = Object.values(beyond).find((value) => Array.isArray(value) && !value.includes('input'));
      expect(list).toEqual([]);
    });

    it.each([
      { limit: '0' },
      { limit: '-1' },
      { limit: 'x' },
      { limit: '1.5' },
      { starting_token: '-1' },
      { starting_token: 'x' },
    ])('refuses the page %j', async (query) => {
      isRefused(await send(endpoint, { query: query as unknown as Record<string, string> }), ['query', Object.keys(query)[0]]);
    });
  }
});
