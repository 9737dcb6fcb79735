import { it } from 'vitest';

it('never ends, and lets nobody else do anything', () => {
  for (;;);
});
