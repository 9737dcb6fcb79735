import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCESS_MATRIX } from '../access-matrix.ts';
import { OPERATIONS } from '../matrix-part.ts';
import { openWorld, type World } from '../open-world.ts';
import { idsTaken, ownId } from '../plan.ts';
import { nameOf } from '../row.ts';
import { routeOf } from '../run-matrix.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.server.close());

describe('the rows of the access matrix', () => {
  it('are there for every route, and no other', () => {
    const mounted = world.server.cradle.routes.map(({ operationId }) => operationId);
    expect([...OPERATIONS].sort()).toEqual([...mounted].sort());
  });

  it('say for every id that an operation takes what a foreign one answers', () => {
    const unsaid = ACCESS_MATRIX.flatMap((row) => {
      const taken = idsTaken(row, routeOf(world, row)).filter((name) => name !== ownId(row));
      return taken.filter((name) => row.mixed?.[name] === undefined).map((name) => `${nameOf(row)}: ${name}`);
    });
    expect(unsaid).toEqual([]);
  });
});
