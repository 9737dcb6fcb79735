import { type Asked, okOf, type Plan } from '../plan.ts';
import type { ScorerRow } from '../row.ts';
import { statusOnScorer } from '../rules.ts';
import { unknownIds } from '../scene.ts';
import { makeScorer } from '../scenes/scorer-scenes.ts';
import { badInput } from '../wrong-ids.ts';

export function scorerPlans({ town, row, route, caller }: Asked<ScorerRow>): Plan[] {
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
