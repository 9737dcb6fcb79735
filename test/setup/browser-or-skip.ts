import { beforeEach, inject } from 'vitest';

/** Where no browser starts, the tests that look through one are skipped; how the run tells is in `console.ts`. */
beforeEach(({ skip }) => {
  const missing = inject('browserMissing');
  if (missing !== null) skip(missing);
});
