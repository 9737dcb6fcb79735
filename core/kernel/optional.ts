import type { z } from 'zod';

/** An optional field of a request: absent and null both stand for `value`. */
export const withDefault = <S extends z.ZodType>(schema: S, value: z.output<S>) =>
  schema.nullish().transform((given): z.output<S> => given ?? value);
