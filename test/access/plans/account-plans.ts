import { type FixtureObject, unknownIds } from '../fixture-object.ts';
import { makeApiKey, makeUser, makeUserFixture } from '../fixtures/account-fixtures.ts';
import { type Asked, type Cell, expectOk, type Plan } from '../plan.ts';
import type { ApiKeyRow, OrganizationRole, OrganizationRow, PlainRow, UserRow } from '../row.ts';
import { statusInOrganization, statusOnApiKey, statusOnUser } from '../rules.ts';
import { badInput } from '../wrong-ids.ts';

export function userPlans({ fixtureServer, row, route, caller }: Asked<UserRow>): Plan[] {
  const judged = (relation: string, role: OrganizationRole | 'oneself' | null): Pick<Cell, 'relation' | 'status'> => {
    const user = role && { is_oneself: role === 'oneself', role: role === 'oneself' ? caller.role : role };
    const usual = statusOnUser(row, caller, user, expectOk(row));
    return { relation, status: row.deviates?.(usual, { caller, relation, role: null }) ?? usual };
  };
  const plan = (relation: string, role: OrganizationRole | 'oneself'): Plan => [
    relation,
    async () => {
      const object = await makeUserFixture(fixtureServer, caller.user_id, role);
      return { ...judged(relation, role), ids: object.ids, object };
    },
  ];
  const another = () => makeUserFixture(fixtureServer, caller.user_id, 'user');
  return [
    plan('oneself', 'oneself'),
    plan('another user', 'user'),
    plan('a read_only user', 'read_only'),
    plan('a manager', 'manager'),
    plan('an administrator', 'admin'),
    ['non-existent', async () => ({ ...judged('non-existent', null), ids: unknownIds(caller.user_id) })],
    ...badInput({ fixtureServer, row, route, caller }, another, another),
  ];
}

export function apiKeyPlans({ fixtureServer, row, route, caller }: Asked<ApiKeyRow>): Plan[] {
  const ok = expectOk(row);
  const make = (user_id: string) => () => makeApiKey(fixtureServer, caller.user_id, user_id);
  const plan = (relation: string, made: 'by_caller' | 'by_another', user_id: string): Plan => [
    relation,
    async () => {
      const object = await make(user_id)();
      const status = statusOnApiKey(caller, made, ok);
      return { relation, status, ids: object.ids, object, ...(status === ok ? {} : { unknown: unknownIds(caller.user_id) }) };
    },
  ];
  const status = statusOnApiKey(caller, null, ok);
  return [
    plan('made by the caller', 'by_caller', caller.user_id),
    plan('made by another', 'by_another', fixtureServer.host_id),
    ['non-existent', async () => ({ relation: 'non-existent', status, ids: unknownIds(caller.user_id) })],
    ...badInput({ fixtureServer, row, route, caller }, make(fixtureServer.host_id), make(caller.user_id)),
  ];
}

/** Ids of objects that the operation may name are those of a fixture object that is nobody's. */
export function organizationPlans({ fixtureServer, row, route, caller }: Asked<OrganizationRow>): Plan[] {
  const status = statusInOrganization(row, caller, expectOk(row));
  const make = async (): Promise<FixtureObject> => {
    const user_id = await makeUser(fixtureServer.server);
    return { ids: { ...unknownIds(caller.user_id), user_id }, secret: '', picture: async () => '' };
  };
  const one = async (): Promise<Cell> => ({ relation: '—', status, ids: (await make()).ids });
  return [['—', one], ...badInput({ fixtureServer, row, route, caller }, make, make)];
}

export function plainPlans({ row, caller }: Asked<PlainRow>): Plan[] {
  return [['—', async () => ({ relation: '—', status: expectOk(row), ids: unknownIds(caller.user_id) })]];
}
