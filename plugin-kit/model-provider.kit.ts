import type { z } from '../core/plugin-sdk/index.ts';
import { modelProviderChecks } from './model-provider-checks.ts';
import type { ModelProviderCase } from './provider-case.ts';
import { underVitest } from './under-vitest.ts';

/** What every model-provider plugin has to hold; a plugin's own test calls it in one line. */
export function modelProviderKit<S extends z.ZodType>(given: ModelProviderCase<S>): void {
  underVitest(modelProviderChecks(given));
}
