import type { CheckList } from './check.ts';

/** Common functions of vitest, jest and `node:test`. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** Runs the checks of a plugin as tests of any runner, each of which opens and closes what it needs. */
export function testPlugin({ title, checks, open, reset, close }: CheckList, { describe, it }: TestRunner): void {
  describe(title, () => {
    for (const { name, run } of checks)
      it(name, async () => {
        await open();
        try {
          reset();
          await run();
        } finally {
          await close();
        }
      });
  });
}
