import type { z } from '../../core/plugin-sdk/index.ts';
import { underVitest } from '../under-vitest.ts';
import { modelProviderChecks } from './model-provider-checks.ts';
import type { ModelProviderCase } from './provider-case.ts';

/** Checks of every model-provider plugin; a plugin's own test calls it in one line. */
export function modelProviderKit<S extends z.ZodType>(given: ModelProviderCase<S>): void {
  underVitest(modelProviderChecks(given));
}
