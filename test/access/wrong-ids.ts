import { type FixtureObject, unknownIds } from './fixture-object.ts';
import { type Asked, type Cell, idsTaken, type Plan } from './plan.ts';
import type { IdName } from './row.ts';

/** The cell of a relation, where a request that is allowed answers this status. */
export type Judge = (relation: string, allowed: number) => Pick<Cell, 'relation' | 'status'>;

/** One's own object in the path, with one other id of somebody else's. */
export function mixedPlans(
  { row, caller }: Asked,
  own: () => Promise<FixtureObject>,
  make: () => Promise<FixtureObject>,
  judged: Judge,
): Plan[] {
  return Object.entries(row.mixed ?? {}).map(([name, answer]): Plan => {
    const relation = `foreign ${name}`;
    const status = typeof answer === 'number' ? answer : answer(caller);
    const plan = async (): Promise<Cell> => {
      const [object, outsiderProject] = await Promise.all([own(), make()]);
      const ids = { ...object.ids, [name]: outsiderProject.ids[name as IdName] };
      const cell = { ...judged(relation, status), ids, object, outsiderProject };
      const isTelling = cell.status === status && (status >= 400 || row.reads === true);
      const unknown = { ...object.ids, [name]: unknownIds('x')[name as IdName] };
      return isTelling && !row.known?.includes(name as IdName) ? { ...cell, unknown } : cell;
    };
    return [relation, plan];
  });
}

/**
 * Requests that are wrong in themselves are refused before anything stored is looked at; what a row names as `late`
 * only once the caller was found to be allowed.
 */
export function badInput(
  { row, route }: Asked,
  make: () => Promise<FixtureObject>,
  own: () => Promise<FixtureObject>,
  judged: Judge = (relation, status) => ({ relation, status }),
): Plan[] {
  const formed = idsTaken(row, route).filter((name) => !row.words?.includes(name));
  const malformed = formed.map((name): Plan => {
    const relation = `malformed ${name}`;
    const plan = async (): Promise<Cell> => {
      const object = await own();
      const early = { relation, status: 422 };
      const cell = row.late?.includes(name) ? judged(relation, 422) : early;
      return { ...cell, ids: { ...object.ids, [name]: 'not-an-id' }, object };
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
