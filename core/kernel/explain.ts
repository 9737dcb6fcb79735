import type { z } from 'zod';
import type { Issue } from './errors.ts';

/** Explains one value that a schema refused; the edge supplies it, because it decides how issues read. */
export type Explain = (schema: z.ZodType, value: unknown, loc: Issue['loc']) => Issue[];
