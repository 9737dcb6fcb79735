import { type Asked, type Cell, idsTaken, okOf, type Plan } from './plan.ts';
import { giveRole, giveRoleByGroup, makeProject } from './project-scenes.ts';
import type { ProjectRow, Role } from './row.ts';
import { roleThatCounts, statusOnObject } from './rules.ts';
import { type Scene, type Town, unknownIds } from './scene.ts';
import { badInput, mixedPlans } from './wrong-ids.ts';

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

export function projectPlans(asked: Asked<ProjectRow>): Plan[] {
  const { town, row, caller } = asked;
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
  const judgedAsOwner = (relation: string, allowed: number) => judged(relation, 'owner', allowed);
  const own = async () => {
    const object = await makeProject(town, caller.user_id, 'private');
    await giveRole(town.server, object.ids.project_id, caller.user_id, 'owner');
    return object;
  };
  return [
    ...related,
    nothing,
    ...badInput(asked, make, own, judgedAsOwner),
    ...mixedPlans(asked, own, make, judgedAsOwner),
    ...crossedPlans(asked, own, make),
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
