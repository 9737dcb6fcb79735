import { describe, expect, it } from 'vitest';
import type { ObservedColumn } from '../traces/columns/observed-columns.ts';
import { observedById, ownColumns, systemMetrics } from './column-descriptors.ts';

/** So many sightings of columns, which count how often somebody looks at them. */
function sightings(names: number): { seen: ObservedColumn[]; looks(): number } {
  let looks = 0;
  const seen = Array.from({ length: names }, (_, at): ObservedColumn => {
    const column_id = `user_metadata/name ${at}`;
    return {
      type: 'trace',
      data_type: 'text',
      get column_id() {
        looks += 1;
        return column_id;
      },
    };
  });
  return { seen, looks: () => looks };
}

function looksFor(names: number): number {
  const { seen, looks } = sightings(names);
  const byId = observedById(seen);
  systemMetrics(byId);
  expect(ownColumns('user_metadata', byId)).toHaveLength(names);
  return looks();
}

describe('the columns of a run', () => {
  it('cost as much each where there are many as where there are few', () => {
    expect(looksFor(2_000)).toBeLessThanOrEqual(2 * looksFor(1_000));
  });

  it('are of the type that all values of their name have, else texts', () => {
    const of = (column_id: string, data_type: ObservedColumn['data_type'], type: ObservedColumn['type'] = 'trace') => ({
      column_id,
      data_type,
      type,
    });
    const seen = [of('metrics/b', 'boolean'), of('metrics/a', 'boolean'), of('metrics/a', 'floating_point', 'llm')];
    expect(
      ownColumns('metrics', observedById(seen)).map(({ id, data_type, applicable_types }) => [id, data_type, applicable_types]),
    ).toEqual([
      ['metrics/a', 'text', ['trace', 'llm']],
      ['metrics/b', 'boolean', ['trace']],
    ]);
  });
});
