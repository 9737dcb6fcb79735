import { unknownIds } from '../fixture-object.ts';
import { makeGroup } from '../fixtures/group-fixtures.ts';
import { type Asked, type Cell, expectOk, type Plan } from '../plan.ts';
import type { GroupRow } from '../row.ts';
import { type Standing, statusOnGroup, type Visibility } from '../rules.ts';
import { badInput, mixedPlans } from '../wrong-ids.ts';

const VISIBILITIES: readonly Visibility[] = ['public', 'protected', 'private', 'hidden'];
const STANDINGS: readonly Standing[] = ['maintainer', 'member', 'pending', 'outsider'];

export function groupPlans({ fixtureServer, row, route, caller }: Asked<GroupRow>): Plan[] {
  const ok = expectOk(row);
  const unknown = () => unknownIds(caller.user_id);
  const related = VISIBILITIES.flatMap((visibility) =>
    STANDINGS.map((standing): Plan => {
      const relation = `${standing} of a ${visibility} group`;
      const plan = async (): Promise<Cell> => {
        const object = await makeGroup(fixtureServer, caller.user_id, { visibility, standing });
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
  const own = () => makeGroup(fixtureServer, caller.user_id, maintained);
  const make = () => makeGroup(fixtureServer, caller.user_id, { visibility: 'hidden', standing: 'outsider' });
  const judged = (relation: string, allowed: number) => ({ relation, status: statusOnGroup(row, caller, maintained, allowed) });
  return [
    ...related,
    nothing,
    ...badInput({ fixtureServer, row, route, caller }, make, own),
    ...mixedPlans({ fixtureServer, row, route, caller }, own, make, judged),
  ];
}
