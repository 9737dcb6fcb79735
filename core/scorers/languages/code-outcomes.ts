import { type CodeFlaw, type CodeLimits, type CodeOutcome, PluginError, z } from '../../plugin-sdk/index.ts';

type Note = (flaw: string) => void;

const Text = z.string().nullish();
const Returned = z.object({ kind: z.literal('returned'), value: z.unknown(), explanation: Text, printed: Text });
const Failed = z.object({
  kind: z.enum(['threw', 'timed_out', 'out_of_memory', 'refused']),
  message: z.string().regex(/\S/, 'is empty'),
  printed: Text,
});
const Given = z.discriminatedUnion('kind', [Returned, Failed]);
const Flaw = z.object({
  message: z.string().regex(/\S/, 'is empty'),
  line: z.int().min(1).nullish(),
  column: z.int().min(1).nullish(),
});

const Scalar = z.union([z.number(), z.boolean(), z.string()]);
const Value = z.union([Scalar, z.array(Scalar), z.record(z.string(), z.boolean())]);

const ODD: CodeOutcome = { kind: 'threw', message: 'the language of the scorer gave a result of an unknown shape' };

/** Reads a language's outcomes for so many records, as they may be stored. Throws a PluginError `bad_reply` when it is no such list. */
export function outcomesIn(given: unknown, count: number, note: Note, limits: CodeLimits): CodeOutcome[] {
  if (!Array.isArray(given) || given.length !== count) {
    note(`no list of ${count} outcomes`);
    throw new PluginError('bad_reply', 'the language of the scorer gave no outcome for each record');
  }
  return given.map((one) => {
    const { data, error } = Given.safeParse(one);
    if (error) {
      note(z.prettifyError(error).slice(0, 500));
      return ODD;
    }
    const printed = data.printed ? { printed: toText(data.printed, limits) } : {};
    if (data.kind !== 'returned') {
      const message = data.message.slice(0, limits.message_chars);
      return data.kind === 'threw' ? { kind: data.kind, message, ...printed } : { kind: data.kind, message };
    }
    const explanation = data.explanation ? { explanation: toText(data.explanation, limits) } : {};
    const outcome = returnedIn(data.value, limits);
    return outcome.kind === 'returned' ? { ...outcome, ...explanation, ...printed } : { ...outcome, ...printed };
  });
}

const toText = (given: string, { message_chars }: CodeLimits): string =>
  given.slice(0, message_chars).toWellFormed().replaceAll('\0', '\uFFFD');

/** Reads the error that a language found in a program. Throws a PluginError `bad_reply` when that has another shape. */
export function codeFlawIn(given: unknown, note: Note, limits: CodeLimits): CodeFlaw | undefined {
  if (given === undefined || given === null) return undefined;
  const { data, error } = Flaw.safeParse(given);
  if (error) {
    note(z.prettifyError(error).slice(0, 500));
    throw new PluginError('bad_reply', 'the language of the scorer did not say what is wrong with it');
  }
  const { message, line, column } = data;
  return {
    message: message.slice(0, limits.message_chars),
    ...(typeof line === 'number' && { line }),
    ...(typeof column === 'number' && { column }),
  };
}

/** The value as JSON has it, within the limits; else why it is none. */
function returnedIn(
  given: unknown,
  { value_chars, list_items }: CodeLimits,
): Extract<CodeOutcome, { kind: 'returned' | 'threw' }> {
  const { data, success } = Value.safeParse(given);
  if (!success) {
    const message = 'the scorer returned what is no finite number, boolean, string, flat list of these or object of booleans';
    return { kind: 'threw', message };
  }
  const items = typeof data === 'object' ? Object.keys(data).length : 1;
  if (items > list_items) return { kind: 'threw', message: `the scorer returned more than ${list_items} items` };
  const chars = typeof data === 'string' ? data.length : JSON.stringify(data).length - 2;
  if (chars > value_chars) return { kind: 'threw', message: `the scorer returned more than ${value_chars} characters` };
  return { kind: 'returned', value: data };
}
