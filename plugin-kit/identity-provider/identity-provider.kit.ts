import type { z } from '../../core/plugin-sdk/index.ts';
import { underVitest } from '../under-vitest.ts';
import { type IdentityProviderCase, identityProviderChecks } from './identity-checks.ts';

/** Runs the checks that every identity-provider plugin has to pass; a plugin's own test calls it in one line. */
export function identityProviderKit<S extends z.ZodType>(given: IdentityProviderCase<S>): void {
  underVitest(identityProviderChecks(given));
}
