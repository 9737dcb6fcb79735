import type { Route } from '../../adapters/http/route.ts';
import type { MatrixCaller } from './callers.ts';
import {
  type ApiKeyRow,
  type GroupRow,
  ID_NAMES,
  type IdName,
  type Ids,
  type OrganizationRole,
  type OrganizationRow,
  type PlainRow,
  type ProjectRow,
  type Role,
  type Row,
  type ScorerRow,
  type UserRow,
} from './row.ts';
import {
  roleThatCounts,
  type Standing,
  statusInOrganization,
  statusOnApiKey,
  statusOnGroup,
  statusOnObject,
  statusOnScorer,
  statusOnUser,
  type Visibility,
} from './rules.ts';
import {
  giveRole,
  giveRoleByGroup,
  makeApiKey,
  makeGroup,
  makeProject,
  makeScorer,
  makeUser,
  makeUserScene,
  type Scene,
  type Town,
  unknownIds,
} from './scenes.ts';

/** One request and what has to come of it. */
export interface Cell {
  readonly relation: string;
  readonly ids: Ids;
  readonly status: number;
  /** The body does not fit its schema. */
  readonly has_bad_body?: boolean;
  /** The same request about what does not exist: the reply has to be the same but for the ids. */
  readonly unknown?: Ids;
  /** What is only there to be left alone, and what a refusal leaves alone. */
  readonly bystander?: Scene;
  readonly object?: Scene;
  /** For lists: whether the object is among them. */
  readonly is_shown?: boolean;
}

interface Asked<R extends Row = Row> {
  readonly town: Town;
  readonly row: R;
  readonly route: Route;
  readonly caller: MatrixCaller;
}

/** Makes what a cell needs when its turn comes. */
export type Plan = readonly [relation: string, make: () => Promise<Cell>];

type Put = (town: Town, project_id: string, user_id: string) => Promise<void>;
const sharedAs =
  (role: Role): Put =>
  ({ server }, project_id, user_id) =>
    giveRole(server, project_id, user_id, role);
const byGroup =
  (role: 'maintainer' | 'member' | 'pending'): Put =>
  (town, project_id, user_id) =>
    giveRoleByGroup(town, project_id, user_id, role);

/** What somebody may be to a project, and the role it gives. */
const TO_A_PROJECT: Readonly<Record<string, readonly [Role | null, Put]>> = {
  own: ['owner', sharedAs('owner')],
  editor: ['editor', sharedAs('editor')],
  annotator: ['annotator', sharedAs('annotator')],
  viewer: ['viewer', sharedAs('viewer')],
  'member of a group': ['editor', byGroup('member')],
  'maintainer of a group': ['editor', byGroup('maintainer')],
  'pending in a group': [null, byGroup('pending')],
  foreign: [null, async () => {}],
};
const VISIBILITIES: readonly Visibility[] = ['public', 'protected', 'private', 'hidden'];
const STANDINGS: readonly Standing[] = ['maintainer', 'member', 'pending', 'outsider'];
/** Other ways to prove the same user: that they do is seen in these. */
const ENOUGH_FOR_VARIANTS =
  /^(own|viewer|foreign|non-existent|—|made by .*|oneself|another user|(maintainer|outsider) of a hidden group)$/;
/** Bad credentials are refused before anything is looked at. */
const ENOUGH_FOR_REFUSED =
  /^(own|foreign|non-existent|—|made by .*|oneself|another user|malformed .*|(maintainer|outsider) of a hidden group|foreign, bad body)$/;

export function plansOf(asked: Asked): readonly Plan[] {
  const { row, caller } = asked;
  const plans = ofFamily(asked, row);
  if (row.on === 'open') return plans;
  const enough = !caller.is_known ? ENOUGH_FOR_REFUSED : caller.is_variant ? ENOUGH_FOR_VARIANTS : /./;
  return plans
    .filter(([relation]) => enough.test(relation))
    .map(([relation, make]) => [relation, async () => settled(asked, await make())]);
}

/** The ids that an operation takes beside the one of the caller, in the order of `ID_NAMES`. */
export function idsTaken(row: Row, route: Route): readonly IdName[] {
  const taken = new Set<string>([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => row.path?.[name!] ?? name!));
  const watched = new Proxy(unknownIds('x'), {
    get: (ids, name) => {
      taken.add(String(name));
      return ids[name as IdName];
    },
  });
  row.query?.(watched);
  row.body?.(watched);
  row.form?.(watched);
  return ID_NAMES.filter((name) => taken.has(name) && name !== 'caller_id');
}

/** The id of what a row is about. */
export const ownId = ({ on }: Row): IdName | undefined => ID_NAMES.find((name) => name === `${on}_id`);

function ofFamily(asked: Asked, row: Row): readonly Plan[] {
  if (row.on === 'project') return projectPlans({ ...asked, row });
  if (row.on === 'group') return groupPlans({ ...asked, row });
  if (row.on === 'scorer') return scorerPlans({ ...asked, row });
  if (row.on === 'user') return userPlans({ ...asked, row });
  if (row.on === 'api_key') return apiKeyPlans({ ...asked, row });
  if (row.on === 'organization') return organizationPlans({ ...asked, row });
  return plainPlans({ ...asked, row });
}

/** 401 comes before all; lists leave out what is not visible, instead of saying so. */
function settled({ row, caller }: Asked, cell: Cell): Cell {
  const { unknown: _unknown, ...rest } = cell;
  if (!caller.is_known) return { ...rest, status: 401 };
  if (!row.shows || (cell.status !== 404 && cell.status !== okOf(row))) return cell;
  return { ...rest, status: okOf(row), is_shown: cell.status === okOf(row) };
}

function projectPlans({ town, row, route, caller }: Asked<ProjectRow>): Plan[] {
  const make = () => makeProject(town, caller.user_id);
  const unknown = () => unknownIds(caller.user_id);
  const judged = (relation: string, given: Role | null, allowed = okOf(row)): Pick<Cell, 'relation' | 'status'> => {
    const role = roleThatCounts(caller, given);
    const usual = statusOnObject(role, row.needs, allowed);
    return { relation, status: row.deviates?.(usual, { caller, relation, role }) ?? usual };
  };
  const missing = (given: Role | null, status: number): Partial<Cell> =>
    roleThatCounts(caller, given) === null && status !== 409 ? { unknown: unknown() } : {};
  const related = Object.entries(TO_A_PROJECT).map(
    ([relation, [given, put]]): Plan => [
      relation,
      async () => {
        const object = await makeProject(town, caller.user_id, given === null ? 'hidden' : 'private');
        await put(town, object.ids.project_id, caller.user_id);
        const cell = judged(relation, given);
        return { ...cell, ids: object.ids, object, ...missing(given, cell.status) };
      },
    ],
  );
  const nothing: Plan = [
    'non-existent',
    async () => {
      const usual = statusOnObject(null, row.needs, okOf(row));
      const status = row.deviates?.(usual, { caller, relation: 'non-existent', role: null }) ?? usual;
      return { relation: 'non-existent', status, ids: unknown() };
    },
  ];
  const own = async () => {
    const object = await makeProject(town, caller.user_id, 'private');
    await giveRole(town.server, object.ids.project_id, caller.user_id, 'owner');
    return object;
  };
  return [
    ...related,
    nothing,
    ...badInput({ town, row, route, caller }, make, own),
    ...mixedPlans({ town, row, route, caller }, own, make, (relation, status) => judged(relation, 'owner', status)),
    ...crossedPlans({ town, row, route, caller }, own, make),
  ];
}

/** An object of somebody else in the path, with all that lies below it one's own. */
function crossedPlans({ row, route, caller }: Asked<ProjectRow>, own: () => Promise<Scene>, make: () => Promise<Scene>): Plan[] {
  const children = idsTaken(row, route).filter((name) => name !== 'project_id');
  if (children.length === 0 || caller.role === 'admin') return [];
  const relation = 'own things in a foreign project';
  const crossed = async (): Promise<Cell> => {
    const [mine, object] = await Promise.all([own(), make()]);
    const ids = { ...mine.ids, project_id: object.ids.project_id };
    const unknown = { ...mine.ids, project_id: unknownIds('x').project_id };
    return { relation, status: 404, ids, unknown, object, bystander: mine };
  };
  return [[relation, crossed]];
}

/** One's own object in the path, with one other id of somebody else's. */
function mixedPlans(
  { row, caller }: Asked,
  own: () => Promise<Scene>,
  make: () => Promise<Scene>,
  judged: (relation: string, status: number) => Pick<Cell, 'relation' | 'status'>,
): Plan[] {
  return Object.entries(row.mixed ?? {}).map(([name, answer]): Plan => {
    const relation = `foreign ${name}`;
    const status = typeof answer === 'number' ? answer : answer(caller);
    const plan = async (): Promise<Cell> => {
      const [object, bystander] = await Promise.all([own(), make()]);
      const ids = { ...object.ids, [name]: bystander.ids[name as IdName] };
      const cell = { ...judged(relation, status), ids, object, bystander };
      const isTelling = cell.status === status && (status >= 400 || row.reads === true);
      const unknown = { ...object.ids, [name]: unknownIds('x')[name as IdName] };
      return isTelling && !row.known?.includes(name as IdName) ? { ...cell, unknown } : cell;
    };
    return [relation, plan];
  });
}

/** Requests that are wrong in themselves are refused before anything stored is looked at. */
function badInput({ row, route }: Asked, make: () => Promise<Scene>, own: () => Promise<Scene>): Plan[] {
  const names = idsTaken(row, route).filter((name) => !row.late?.includes(name));
  const malformed = names.map((name): Plan => {
    const relation = `malformed ${name}`;
    const plan = async (): Promise<Cell> => {
      const object = await own();
      return { relation, status: 422, ids: { ...object.ids, [name]: 'not-an-id' }, object };
    };
    return [relation, plan];
  });
  const relation = 'foreign, bad body';
  const badBody: Plan = [
    relation,
    async () => {
      const object = await make();
      return { relation, status: 422, ids: object.ids, object, has_bad_body: true };
    },
  ];
  return route.body ? [...malformed, badBody] : malformed;
}

function groupPlans({ town, row, route, caller }: Asked<GroupRow>): Plan[] {
  const ok = okOf(row);
  const unknown = () => unknownIds(caller.user_id);
  const related = VISIBILITIES.flatMap((visibility) =>
    STANDINGS.map((standing): Plan => {
      const relation = `${standing} of a ${visibility} group`;
      const plan = async (): Promise<Cell> => {
        const object = await makeGroup(town, caller.user_id, { visibility, standing });
        const status = statusOnGroup(row, caller, { visibility, standing }, ok);
        const isSeen = statusOnGroup({ ...row, needs: 'sight' }, caller, { visibility, standing }, ok) === ok;
        return { relation, status, ids: object.ids, object, ...(isSeen ? {} : { unknown: unknown() }) };
      };
      return [relation, plan];
    }),
  );
  const status = statusOnGroup(row, caller, null, ok);
  const nothing: Plan = ['non-existent', async () => ({ relation: 'non-existent', status, ids: unknown() })];
  const maintained = { visibility: 'hidden', standing: 'maintainer' } as const;
  const own = () => makeGroup(town, caller.user_id, maintained);
  const make = () => makeGroup(town, caller.user_id, { visibility: 'hidden', standing: 'outsider' });
  const judged = (relation: string, allowed: number) => ({ relation, status: statusOnGroup(row, caller, maintained, allowed) });
  return [
    ...related,
    nothing,
    ...badInput({ town, row, route, caller }, make, own),
    ...mixedPlans({ town, row, route, caller }, own, make, judged),
  ];
}

function scorerPlans({ town, row, route, caller }: Asked<ScorerRow>): Plan[] {
  const ok = okOf(row);
  const make = (creator_id: string) => () => makeScorer(town, caller.user_id, creator_id);
  const plan = (relation: string, made: 'by_caller' | 'by_another', creator_id: string): Plan => [
    relation,
    async () => {
      const object = await make(creator_id)();
      return { relation, status: statusOnScorer(row, caller, made, ok), ids: object.ids, object };
    },
  ];
  return [
    plan('made by the caller', 'by_caller', caller.user_id),
    plan('made by another', 'by_another', town.host_id),
    [
      'non-existent',
      async () => ({ relation: 'non-existent', status: statusOnScorer(row, caller, null, ok), ids: unknownIds(caller.user_id) }),
    ],
    ...badInput({ town, row, route, caller }, make(town.host_id), make(caller.user_id)),
  ];
}

function userPlans({ town, row, route, caller }: Asked<UserRow>): Plan[] {
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

function apiKeyPlans({ town, row, route, caller }: Asked<ApiKeyRow>): Plan[] {
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
function organizationPlans({ town, row, route, caller }: Asked<OrganizationRow>): Plan[] {
  const status = statusInOrganization(row, caller, okOf(row));
  const make = async (): Promise<Scene> => {
    const user_id = await makeUser(town.server);
    return { ids: { ...unknownIds(caller.user_id), user_id }, secret: '', picture: async () => '' };
  };
  const one = async (): Promise<Cell> => ({ relation: '—', status, ids: (await make()).ids });
  return [['—', one], ...badInput({ town, row, route, caller }, make, make)];
}

function plainPlans({ row, caller }: Asked<PlainRow>): Plan[] {
  return [['—', async () => ({ relation: '—', status: okOf(row), ids: unknownIds(caller.user_id) })]];
}

const okOf = (row: Row): number => row.ok ?? 200;
