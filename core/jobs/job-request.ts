import { z } from 'zod';
import { Id, Name } from '../kernel/text.ts';

/**
 * Body of `POST /jobs`. Fields that a job does not need are accepted and ignored: clients send one form for all kinds.
 * What a job does not need is accepted and left alone: clients send one form for all kinds.
 */
export const JobRequest = z
  .looseObject({
    project_id: Id,
    run_id: Id,
    job_name: Name.default('default'),
    dataset_id: Id.nullish(),
    dataset_version_index: z.int().min(0).max(2_147_483_647).nullish(),
    prompt_template_version_id: Id.nullish(),
    prompt_settings: z.looseObject({}).nullish(),
    scorers: z
      .array(z.looseObject({ id: Id }))
      .max(200)
      .nullish(),
    task_type: z.int().nullish(),
  })
  .meta({ id: 'JobRequest' });
export type JobRequest = z.output<typeof JobRequest>;

/** The request again, and the job that came of it. */
export const JobStarted = z.looseObject({ message: z.string(), link: z.string(), job_id: z.string() }).meta({ id: 'JobStarted' });
export type JobStarted = z.output<typeof JobStarted>;
