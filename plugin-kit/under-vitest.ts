import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import type { CheckList } from './check.ts';

/** Runs checks as tests. */
export function underVitest({ title, checks, open, reset, close }: CheckList): void {
  describe(title, () => {
    beforeAll(open);
    beforeEach(reset);
    afterAll(close);
    for (const { name, run } of checks) it(name, async () => void (await run()));
  });
}
