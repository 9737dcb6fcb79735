import { afterAll, describe, expect, it } from 'vitest';
import { ACCESS_MATRIX } from './access-matrix.ts';
import { openAccessFixture } from './open-fixture.ts';
import { type Outcome, runMatrix } from './run-matrix.ts';

export const OPERATIONS: readonly string[] = [...new Set(ACCESS_MATRIX.map(({ operation }) => operation))];

/**
 * The cells of every `parts`-th operation, beginning with the one of this number. In parts, because they run beside each
 * other, and because one process would hold the worlds of all.
 */
export function matrixPart(number: number, parts: number): void {
  const operations = OPERATIONS.filter((_, index) => index % parts === number);
  const outcomes: Outcome[] = [];

  afterAll(() => {
    const all = (name: 'callers' | 'relations') => new Set(outcomes.flatMap((outcome) => [...outcome[name]])).size;
    const cells = outcomes.reduce((sum, outcome) => sum + outcome.cells, 0);
    const line = `${operations.length} of ${OPERATIONS.length} operations × ${all('callers')} callers × ${all('relations')} relations, ${cells} cells`;
    process.stdout.write(`access matrix, part ${number + 1} of ${parts}: ${line}\n`);
  });

  describe(`the access matrix, part ${number + 1}`, () => {
    it.each(operations)('holds for %s', async (operation) => {
      const rows = ACCESS_MATRIX.filter((row) => row.operation === operation);
      // A fixture of its own: the stores of one that is full are slow.
      const fixture = await openAccessFixture();
      const outcome = await runMatrix(fixture, rows).finally(() => fixture.server.close());
      outcomes.push(outcome);
      expect(outcome.failures).toEqual([]);
      expect(outcome.cells).toBeGreaterThan(20);
    });
  });
}
