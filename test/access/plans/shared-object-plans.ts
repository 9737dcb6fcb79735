import type { ObjectKind } from '../../../core/access/role.ts';
import { type FixtureObject, type FixtureServer, unknownIds } from '../fixture-object.ts';
import { type Asked, type Cell, expectOk, idsTaken, type Plan } from '../plan.ts';
import type { CallerFacts, IdName, Role, Row } from '../row.ts';
import { statusOnObject, type Visibility } from '../rules.ts';
import { shareWith, shareWithGroupOf } from '../sharing.ts';
import { badInput, mixedPlans } from '../wrong-ids.ts';

/** Properties of one kind of objects that are shared. */
export interface Family {
  readonly kind: ObjectKind;
  /** The name of their ids. */
  readonly own: IdName;
  make(fixtureServer: FixtureServer, caller_id: string, group?: Visibility): Promise<FixtureObject>;
  /** The role that counts, of what the caller was given. */
  roleThatCounts(caller: CallerFacts, given: Role | null): Role | null;
}

type Put = (fixtureServer: FixtureServer, object: { kind: ObjectKind; id: string }, user_id: string) => Promise<void>;
const sharedAs =
  (role: Role): Put =>
  ({ server }, object, user_id) =>
    shareWith(server, object, user_id, role);
const byGroup =
  (role: 'maintainer' | 'member' | 'pending'): Put =>
  (fixtureServer, object, user_id) =>
    shareWithGroupOf(fixtureServer, object, user_id, role);

/** Relations of a person to an object, and the role each gives. */
const RELATIONS: Readonly<Record<string, readonly [Role | null, Put]>> = {
  own: ['owner', sharedAs('owner')],
  editor: ['editor', sharedAs('editor')],
  annotator: ['annotator', sharedAs('annotator')],
  viewer: ['viewer', sharedAs('viewer')],
  'member of a group': ['editor', byGroup('member')],
  'maintainer of a group': ['editor', byGroup('maintainer')],
  'pending in a group': [null, byGroup('pending')],
  foreign: [null, async () => {}],
};

export function sharedObjectPlans(asked: Asked<Row & { readonly needs: Role }>, family: Family): Plan[] {
  const { fixtureServer, row, caller } = asked;
  const make = () => family.make(fixtureServer, caller.user_id);
  const getObject = ({ ids }: FixtureObject) => ({ kind: family.kind, id: ids[family.own] });
  const unknown = () => unknownIds(caller.user_id);
  const judged = (relation: string, given: Role | null, allowed = expectOk(row)): Pick<Cell, 'relation' | 'status'> => {
    const role = family.roleThatCounts(caller, given);
    const usual = statusOnObject(role, row.needs, allowed);
    return { relation, status: row.deviates?.(usual, { caller, relation, role }) ?? usual };
  };
  const missing = (given: Role | null, status: number): Partial<Cell> =>
    family.roleThatCounts(caller, given) === null && status !== 409 ? { unknown: unknown() } : {};
  const related = Object.entries(RELATIONS).map(
    ([relation, [given, put]]): Plan => [
      relation,
      async () => {
        const object = await family.make(fixtureServer, caller.user_id, given === null ? 'hidden' : 'private');
        await put(fixtureServer, getObject(object), caller.user_id);
        const cell = judged(relation, given);
        return { ...cell, ids: object.ids, object, ...missing(given, cell.status) };
      },
    ],
  );
  const nothing: Plan = [
    'non-existent',
    async () => {
      const usual = statusOnObject(null, row.needs, expectOk(row));
      const status = row.deviates?.(usual, { caller, relation: 'non-existent', role: null }) ?? usual;
      return { relation: 'non-existent', status, ids: unknown() };
    },
  ];
  const judgedAsOwner = (relation: string, allowed: number) => judged(relation, 'owner', allowed);
  const own = async () => {
    const object = await family.make(fixtureServer, caller.user_id, 'private');
    await shareWith(fixtureServer.server, getObject(object), caller.user_id, 'owner');
    return object;
  };
  return [
    ...related,
    nothing,
    ...badInput(asked, make, own, judgedAsOwner),
    ...mixedPlans(asked, own, make, judgedAsOwner),
    ...crossedPlans(asked, family, own, make),
  ];
}

/** An object of somebody else in the path, with all that lies below it one's own. */
function crossedPlans(
  { row, route, caller }: Asked,
  { kind, own: name }: Family,
  own: () => Promise<FixtureObject>,
  make: () => Promise<FixtureObject>,
): Plan[] {
  const children = idsTaken(row, route).filter((taken) => taken !== (row.known_by ?? name));
  if (children.length === 0 || caller.role === 'admin') return [];
  const relation = `own things in a foreign ${kind}`;
  const crossed = async (): Promise<Cell> => {
    const [mine, object] = await Promise.all([own(), make()]);
    const ids = { ...mine.ids, [name]: object.ids[name] };
    const unknown = { ...mine.ids, [name]: unknownIds('x')[name] };
    return { relation, status: 404, ids, unknown, object, outsiderProject: mine };
  };
  return [[relation, crossed]];
}
