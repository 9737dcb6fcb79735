import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unknownIds } from './fixture-object.ts';
import { type Fixture, openAccessFixture } from './open-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openAccessFixture();
});
afterAll(() => fixture.server.close());

interface Way {
  readonly method: string;
  readonly path: string;
}

/** The path of every route that asks for credentials, as it is documented and without its version. */
const guarded = (): Way[] => {
  const ids: Readonly<Record<string, string>> = unknownIds('x');
  return fixture.server.cradle.routes
    .filter(({ auth }) => auth !== 'none')
    .flatMap(({ method, path }) => {
      const full = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? ids.project_id!);
      return [full, full.replace(/^\/v2/, '')].map((spelt) => ({ method: method.toUpperCase(), path: spelt }));
    });
};

async function status({ method, path }: Way, headers: Readonly<Record<string, string>>): Promise<number> {
  const res = await fetch(fixture.server.url + path, { method, headers });
  await res.arrayBuffer();
  return res.status;
}

/** Ways that were answered otherwise than they may be. */
async function otherwise(ways: readonly Way[], may: readonly number[], headers: Readonly<Record<string, string>>) {
  const answered = await Promise.all(ways.map(async (way) => ({ ...way, status: await status(way, headers) })));
  return answered.filter((one) => !may.includes(one.status));
}

describe('a route that asks for credentials', () => {
  it('refuses bad ones by every path to it', async () => {
    for (const { name, headers } of fixture.callers.filter(({ is_known }) => !is_known))
      expect(await otherwise(guarded(), [401], await headers('x')), name).toEqual([]);
  });

  it('asks for them however the path is spelt', async () => {
    const spellings = [
      (path: string) => `${path}/`,
      (path: string) => `/${path}`,
      (path: string) => path.toUpperCase(),
      (path: string) => `${path}?access_token=x`,
      (path: string) => path.replace(/\/(\w)/, (_, first: string) => `/%${first.charCodeAt(0).toString(16)}`),
    ];
    for (const spell of spellings) {
      const ways = guarded().map(({ method, path }) => ({ method, path: spell(path) }));
      expect(await otherwise(ways, [401, 404], {}), spell.toString()).toEqual([]);
    }
  });

  it('asks for them whatever the method', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const ways = guarded().map(({ path }) => ({ method, path }));
      expect(await otherwise(ways, [401], {}), method).toEqual([]);
    }
  });
});

describe('the metrics of the service', () => {
  it('are for those who are known and whose key is not made for one project', async () => {
    const way = { method: 'GET', path: '/metrics' };
    const answers = await Promise.all(fixture.callers.map(async (caller) => status(way, await caller.headers('x'))));
    const expected = fixture.callers.map(({ is_known, key_project }) => (!is_known ? 401 : key_project === null ? 200 : 403));
    expect(answers).toEqual(expected);
  });
});

describe('the paths without credentials', () => {
  it('are the ones that are known to be', () => {
    const open = fixture.server.cradle.routes.filter(({ auth }) => auth === 'none').map(({ operationId }) => operationId);
    expect(open.sort()).toEqual([
      'beginSocialSignIn',
      'completeEmailVerification',
      'healthcheck',
      'listSocialProviders',
      'login',
      'loginWithApiKey',
      'loginWithSocial',
      'loginWithSocialCode',
      'logout',
      'refreshToken',
      'signUp',
      'verifyEmail',
    ]);
  });
});
