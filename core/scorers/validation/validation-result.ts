import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { Id } from '../../kernel/text.ts';
import { NodeTypes } from '../scorer.ts';

/** Result of a trial that a client sends back. Everything may be missing: what is believed is the stored trial that it names. */
const Verdict = z.looseObject({
  result_type: z.enum(['valid', 'invalid']).nullish(),
  error_message: z.string().nullish(),
  score_type: z.string().max(255).nullish(),
  scoreable_node_types: NodeTypes.nullish(),
  validation_id: Id.nullish(),
});
export type Verdict = z.output<typeof Verdict>;

const LOC = ['body', 'validation_result'];
const Given = z.looseObject({ result: z.unknown() });

/**
 * The verdict in the field `validation_result`: an object, or one in `result`, there as an object or as its JSON text. Rejects with
 * AppError `invalid` when it is none, or says that the code is invalid.
 */
export function verdictIn(text: string): Verdict {
  const given = Given.safeParse(parsed(text));
  const inner = given.success && given.data.result !== undefined ? parsed(given.data.result) : parsed(text);
  const verdict = Verdict.safeParse(inner ?? {});
  if (!verdict.success) throw resultInvalid();
  if (verdict.data.result_type !== 'invalid') return verdict.data;
  throw codeInvalid(verdict.data.error_message ?? 'the code was found invalid', LOC);
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const resultInvalid = (): AppError => {
  const msg = 'the validation result is none';
  const issues = [{ loc: LOC, msg, type: 'validation_result_invalid' }];
  return new AppError('invalid', 'validation_result_invalid', msg, { issues });
};

/** The validation went wrong, for the reason that is given to the author. */
export const codeInvalid = (msg: string, loc: readonly string[] = ['body', 'file']): AppError =>
  new AppError('invalid', 'code_invalid', msg, { issues: [{ loc, msg, type: 'code_invalid' }] });
