import { z } from 'zod';

/** One element of the `permissions` of a project, dataset, integration and so on. */
export const Permission = z
  .object({ action: z.string(), allowed: z.boolean(), message: z.string().nullable() })
  .meta({ id: 'Permission' });
export type Permission = z.output<typeof Permission>;
