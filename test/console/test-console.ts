import { inject } from 'vitest';
import type { TestConsole } from '../setup/console.ts';

/** The service of the worker that runs this test file; nobody else changes what is there meanwhile. */
export function getTestConsole(): TestConsole {
  const consoles = inject('testConsoles');
  return consoles[(Number(process.env.VITEST_POOL_ID) - 1) % consoles.length]!;
}
