import { unknownIds } from '../fixture-object.ts';
import { makeScorer } from '../fixtures/scorer-fixtures.ts';
import { type Asked, expectOk, type Plan } from '../plan.ts';
import type { ScorerRow } from '../row.ts';
import { statusOnScorer } from '../rules.ts';
import { badInput } from '../wrong-ids.ts';

export function scorerPlans({ fixtureServer, row, route, caller }: Asked<ScorerRow>): Plan[] {
  const ok = expectOk(row);
  const make = (creator_id: string) => () => makeScorer(fixtureServer, caller.user_id, creator_id);
  const plan = (relation: string, made: 'by_caller' | 'by_another', creator_id: string): Plan => [
    relation,
    async () => {
      const object = await make(creator_id)();
      return { relation, status: statusOnScorer(row, caller, made, ok), ids: object.ids, object };
    },
  ];
  return [
    plan('made by the caller', 'by_caller', caller.user_id),
    plan('made by another', 'by_another', fixtureServer.host_id),
    [
      'non-existent',
      async () => ({ relation: 'non-existent', status: statusOnScorer(row, caller, null, ok), ids: unknownIds(caller.user_id) }),
    ],
    ...badInput({ fixtureServer, row, route, caller }, make(fixtureServer.host_id), make(caller.user_id)),
  ];
}
