import type { z } from 'zod';

const context: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/**
 * Has a schema stop where a value cannot become right any more, for whoever asks for yes or no first: a list may have
 * millions of wrong items, and each issue costs far more than its item. Also for `parse`, whose public options do not name it.
 */
export const UP_TO_FIRST_ISSUE: z.core.ParseContext<z.core.$ZodIssue> = context;
