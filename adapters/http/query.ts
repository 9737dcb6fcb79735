import { z } from 'zod';

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** A yes or no in the query string: `true`, `false`, `1` or `0`, in any case. */
export const Flag = z.string().transform((text, ctx) => {
  const flag = FLAGS[text.toLowerCase()];
  if (flag !== undefined) return flag;
  ctx.addIssue({ code: 'invalid_value', values: Object.keys(FLAGS), message: 'is neither true nor false' });
  return z.NEVER;
});

/** A parameter that may be repeated: one value comes as a text, several as a list. */
export const repeated = <S extends z.ZodType<string, string>>(value: S, max: number) =>
  z.union([value.transform((one) => [one]), z.array(value).max(max)]);
