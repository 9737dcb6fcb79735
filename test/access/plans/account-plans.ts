import { type Asked, type Cell, okOf, type Plan } from '../plan.ts';
import type { ApiKeyRow, OrganizationRole, OrganizationRow, PlainRow, UserRow } from '../row.ts';
import { statusInOrganization, statusOnApiKey, statusOnUser } from '../rules.ts';
import { type Scene, unknownIds } from '../scene.ts';
import { makeApiKey, makeUser, makeUserScene } from '../scenes/account-scenes.ts';
import { badInput } from '../wrong-ids.ts';

export function userPlans({ town, row, route, caller }: Asked<UserRow>): Plan[] {
  const judged = (relation: string, role: OrganizationRole | 'oneself' | null): Pick<Cell, 'relation' | 'status'> => {
    const user = role && { is_oneself: role === 'oneself', role: role === 'oneself' ? caller.role : role };
    const usual = statusOnUser(row, caller, user, okOf(row));
    return { relation, status: row.deviates?.(usual, { caller, relation, role: null }) ?? usual };
  };
  const plan = (relation: string, role: OrganizationRole | 'oneself'): Plan => [
    relation,
    async () => {
      const object = await makeUserScene(town, caller.user_id, role);
      return { ...judged(relation, role), ids: object.ids, object };
    },
  ];
  const another = () => makeUserScene(town, caller.user_id, 'user');
  return [
    plan('oneself', 'oneself'),
    plan('another user', 'user'),
    plan('a read_only user', 'read_only'),
    plan('a manager', 'manager'),
    plan('an administrator', 'admin'),
    ['non-existent', async () => ({ ...judged('non-existent', null), ids: unknownIds(caller.user_id) })],
    ...badInput({ town, row, route, caller }, another, another),
  ];
}

export function apiKeyPlans({ town, row, route, caller }: Asked<ApiKeyRow>): Plan[] {
  const ok = okOf(row);
  const make = (user_id: string) => () => makeApiKey(town, caller.user_id, user_id);
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
    plan('made by another', 'by_another', town.host_id),
    ['non-existent', async () => ({ relation: 'non-existent', status, ids: unknownIds(caller.user_id) })],
    ...badInput({ town, row, route, caller }, make(town.host_id), make(caller.user_id)),
  ];
}

/** Ids of objects that the operation may name are those of a scene that is nobody's. */
export function organizationPlans({ town, row, route, caller }: Asked<OrganizationRow>): Plan[] {
  const status = statusInOrganization(row, caller, okOf(row));
  const make = async (): Promise<Scene> => {
    const user_id = await makeUser(town.server);
    return { ids: { ...unknownIds(caller.user_id), user_id }, secret: '', picture: async () => '' };
  };
  const one = async (): Promise<Cell> => ({ relation: '—', status, ids: (await make()).ids });
  return [['—', one], ...badInput({ town, row, route, caller }, make, make)];
}

export function plainPlans({ row, caller }: Asked<PlainRow>): Plan[] {
  return [['—', async () => ({ relation: '—', status: okOf(row), ids: unknownIds(caller.user_id) })]];
}
