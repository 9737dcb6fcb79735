import type { SentDefinition } from '../../core/plugin-sdk/index.ts';

/** Without what is absent or null. */
export const present = (fields: SentDefinition): SentDefinition =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
