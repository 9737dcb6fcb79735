import { type ShownVersion, z } from '../../core/plugin-sdk/index.ts';

/** When a version was made, and by whom: views repeat it. */
export const made = { created_at: z.string(), updated_at: z.string(), created_by: z.string().nullable() };

export const toMade = ({ created_at, updated_at, created_by }: ShownVersion) => ({ created_at, updated_at, created_by });

export const nodeTypes = z.array(z.string()).nullable();
