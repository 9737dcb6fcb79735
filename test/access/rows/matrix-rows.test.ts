import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCESS_MATRIX } from '../access-matrix.ts';
import { OPERATIONS } from '../matrix-part.ts';
import { type Fixture, openAccessFixture } from '../open-fixture.ts';
import { idsTaken, ownId } from '../plan.ts';
import { toRowName } from '../row.ts';
import { getRoute } from '../run-matrix.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openAccessFixture();
});
afterAll(() => fixture.server.close());

describe('the rows of the access matrix', () => {
  it('are there for every route, and no other', () => {
    const mounted = fixture.server.cradle.routes.map(({ operationId }) => operationId);
    expect([...OPERATIONS].sort()).toEqual([...mounted].sort());
  });

  it('say for every id that an operation takes what a foreign one answers', () => {
    const unsaid = ACCESS_MATRIX.flatMap((row) => {
      const taken = idsTaken(row, getRoute(fixture, row)).filter((name) => name !== ownId(row));
      return taken.filter((name) => row.mixed?.[name] === undefined).map((name) => `${toRowName(row)}: ${name}`);
    });
    expect(unsaid).toEqual([]);
  });
});
