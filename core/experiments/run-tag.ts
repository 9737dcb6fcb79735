import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { cleanText, Name } from '../kernel/text.ts';

export const RunTag = z
  .object({
    id: z.string(),
    key: z.string(),
    value: z.string(),
    tag_type: z.string(),
    project_id: z.string(),
    run_id: z.string(),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'RunTag' });
export type RunTag = z.output<typeof RunTag>;

export const NewRunTag = z
  .object({ key: Name, value: cleanText(0, 1024), tag_type: cleanText(1, 255) })
  .meta({ id: 'NewRunTag' });
export type NewRunTag = z.output<typeof NewRunTag>;

export const TAG_EXISTS = 'the run has another tag of this key';
export const tagExists = (): AppError => new AppError('conflict', 'tag_exists', TAG_EXISTS);

export const tagNotFound = (id: string): AppError => new AppError('not_found', 'tag_not_found', `tag ${id} does not exist`);
