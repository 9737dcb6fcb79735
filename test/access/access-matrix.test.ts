import { afterAll, describe, expect, it } from 'vitest';
import { ACCESS_MATRIX } from './access-matrix.ts';
import { openWorld, type World } from './open-world.ts';
import { idsTaken, ownId } from './plan.ts';
import { nameOf } from './row.ts';
import { type Outcome, routeOf, runMatrix } from './run-matrix.ts';

const OPERATIONS = [...new Set(ACCESS_MATRIX.map(({ operation }) => operation))];
/** A world is expensive to open, and slow when it is full. */
const OPERATIONS_IN_A_WORLD = 5;

const outcomes: Outcome[] = [];
let world: World | undefined;

afterAll(async () => {
  await world?.server.close();
  const all = (name: 'callers' | 'relations') => new Set(outcomes.flatMap((outcome) => [...outcome[name]])).size;
  const cells = outcomes.reduce((sum, outcome) => sum + outcome.cells, 0);
  const line = `${OPERATIONS.length} operations × ${all('callers')} callers × ${all('relations')} relations, ${cells} cells`;
  process.stdout.write(`access matrix: ${line}\n`);
});

async function worldFor(operation: string): Promise<World> {
  if (world && OPERATIONS.indexOf(operation) % OPERATIONS_IN_A_WORLD !== 0) return world;
  await world?.server.close();
  world = await openWorld();
  return world;
}

describe('the access matrix', () => {
  it('has a row for every route, and no other', async () => {
    const { server } = await worldFor(OPERATIONS[0]!);
    const mounted = server.cradle.routes.map(({ operationId }) => operationId);
    expect([...OPERATIONS].sort()).toEqual([...mounted].sort());
  });

  it('says for every id that an operation takes what a foreign one answers', async () => {
    const town = await worldFor(OPERATIONS[0]!);
    const unsaid = ACCESS_MATRIX.flatMap((row) => {
      const taken = idsTaken(row, routeOf(town, row)).filter((name) => name !== ownId(row));
      return taken.filter((name) => row.mixed?.[name] === undefined).map((name) => `${nameOf(row)}: ${name}`);
    });
    expect(unsaid).toEqual([]);
  });

  it.each(OPERATIONS)('holds for %s', { timeout: 60_000 }, async (operation) => {
    const rows = ACCESS_MATRIX.filter((row) => row.operation === operation);
    const outcome = await runMatrix(await worldFor(operation), rows);
    outcomes.push(outcome);
    expect(outcome.failures).toEqual([]);
    expect(outcome.cells).toBeGreaterThan(20);
  });
});
