/** Of any message to an author. */
export const MESSAGE_CHARS = 2_000;

/** Stands between records: no JSON text holds it. */
export const RECORD_MARK = '\u001d';

/** Stands between a record and its context: JSON escapes it wherever it occurs in a text. */
export const CONTEXT_MARK = '\u001e';

/** Limits of the output that the kernel lets out of the isolate, and of the time it works on one call. */
export interface KernelLimits {
  readonly message_chars: number;
  /** Of one returned value, written as JSON. */
  readonly value_chars: number;
  readonly array_items: number;
  /** The kernel stops taking records after this time or this much output; the host asks again for the rest. */
  readonly slice_ms: number;
  readonly slice_chars: number;
  readonly context_mark: string;
}

type Scorer = (record: unknown, context: unknown) => unknown;

export interface Kernel {
  /**
   * Scores these records, in order, with this function or with the global `scorer`. Answers JSON of the outcomes,
   * without the brackets; undefined when one of them waits for a promise; an empty text when there is no scorer.
   */
  start(exported: Scorer | undefined, ...records: string[]): string | undefined;
  /** Returns the outcomes once the isolate has settled all it can by itself. A record that still waits ends here. */
  collect(): string;
}

/**
 * The only code of ours inside the isolate. Its source text is compiled there, before the author's, in strict mode so
 * that `scorer.caller` does not hand it out. It reaches nothing outside its own body and keeps its own copies of the
 * built-ins it uses, because the author may replace every one of them. What leaves is text built by concatenation of
 * primitives, which runs no code of the author.
 */
export function kernel(limits: KernelLimits): Kernel {
  const { parse, stringify } = JSON;
  const { apply } = Reflect;
  const { isArray } = Array;
  const { isFinite: finite } = Number;
  const { now } = Date;
  const { exec } = RegExp.prototype;
  const { indexOf, slice, toWellFormed } = String.prototype;
  // Called by another name, eval sees what another script would: `const scorer` too, which is no property of anything.
  // biome-ignore lint/security/noGlobalEval: it runs in the author's isolate and gets no text but our own
  const evaluate: (text: string) => unknown = globalThis.eval;
  const place = /scorer\.[\w-]+:\d+(?::\d+)?/;

  // Memory that the isolate's limit does not count, threads, and code that runs after the call has ended.
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', 'WeakRef'] as const) {
    delete (globalThis as Record<string, unknown>)[name];
  }

  let turn = 0;
  let working = false;
  let waiting = false;
  let out = '';

  const cut = (text: string, chars: number): string => apply(toWellFormed, apply(slice, text, [0, chars]), []);
  const put = (outcome: string): void => {
    out += out === '' ? outcome : `,${outcome}`;
  };
  const threw = (message: string): string => `{"kind":"threw","message":${stringify(cut(message, limits.message_chars))}}`;

  /** Reading a thrown value may run code of the author: inside `try`, and under the timer like all else. */
  const describe = (thrown: unknown): string => {
    try {
      if (typeof thrown === 'string') return `the scorer threw the text: ${cut(thrown, limits.message_chars)}`;
      if (typeof thrown !== 'object' || thrown === null)
        return `the scorer threw ${typeof thrown === 'symbol' ? 'a symbol' : `${thrown}`}`;
      const { name, message, stack } = thrown as Error;
      if (typeof message !== 'string') return 'the scorer threw an object without a message';
      const found = typeof stack === 'string' ? apply(exec, place, [cut(stack, 20_000)])?.[0] : undefined;
      const text = `${typeof name === 'string' ? cut(name, 100) : 'Error'}: ${cut(message, limits.message_chars)}`;
      return found ? `${cut(text, limits.message_chars - 100)} (${found})` : text;
    } catch {
      return 'the scorer threw something that cannot be read';
    }
  };

  const primitive = (value: unknown): string | undefined => {
    if (typeof value === 'boolean') return value ? 'true' : 'false';
    if (typeof value === 'number') return finite(value) ? `${value}` : undefined;
    if (typeof value === 'string') return value.length <= limits.value_chars ? stringify(value) : undefined;
    return undefined;
  };

  const name = (value: unknown): string => {
    if (value === null) return 'null';
    if (typeof value === 'number') return `${value}`;
    if (typeof value === 'string') return `a string of ${value.length} characters`;
    return isArray(value) ? 'an array' : typeof value === 'undefined' ? 'undefined' : `a value of type ${typeof value}`;
  };

  const refuse = (value: unknown, where: string): string =>
    threw(
      `the scorer returned ${name(value)}${where}; allowed are finite numbers, booleans, strings of up to ${limits.value_chars} characters and flat arrays of these`,
    );

  const array = (value: unknown[]): string => {
    const { length } = value;
    if (typeof length !== 'number' || length > limits.array_items) {
      return threw(`the scorer returned an array of more than ${limits.array_items} items`);
    }
    let text = '';
    for (let index = 0; index < length; index += 1) {
      const item = value[index];
      const written = primitive(item);
      if (written === undefined) return refuse(item, ` at index ${index} of an array`);
      text += index === 0 ? written : `,${written}`;
      if (text.length > limits.value_chars)
        return threw(`the scorer returned an array of more than ${limits.value_chars} characters`);
    }
    return `{"kind":"returned","value":[${text}]}`;
  };

  const accept = (value: unknown): string => {
    if (isArray(value)) return array(value);
    const written = primitive(value);
    return written === undefined ? refuse(value, '') : `{"kind":"returned","value":${written}}`;
  };

  const isThenable = (value: unknown): boolean =>
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function';

  const read = (text: string): { record: unknown; context: unknown } | undefined => {
    try {
      const at = apply(indexOf, text, [limits.context_mark]);
      if (at < 0) return { record: parse(text), context: { required: {}, ground_truth: null } };
      return { record: parse(apply(slice, text, [0, at])), context: parse(apply(slice, text, [at + 1])) };
    } catch {
      return undefined;
    }
  };

  const work = async (mine: number, scorer: Scorer, records: string[]): Promise<void> => {
    const stop = now() + limits.slice_ms;
    working = true;
    waiting = false;
    for (let index = 0; index < records.length; index += 1) {
      if (index > 0 && (now() > stop || out.length > limits.slice_chars)) break;
      let outcome: string;
      const input = read(records[index] as string);
      if (!input) outcome = threw('the record is not JSON');
      else {
        try {
          let value = scorer(input.record, input.context);
          if (isThenable(value)) {
            waiting = true;
            value = await value;
          }
          outcome = accept(value);
        } catch (thrown) {
          outcome = threw(describe(thrown));
        }
      }
      if (mine !== turn) return;
      waiting = false;
      put(outcome);
    }
    working = false;
  };

  const find = (): unknown => {
    try {
      return evaluate('scorer');
    } catch {
      return undefined;
    }
  };

  return {
    start: (exported, ...records) => {
      const scorer = exported ?? find();
      if (typeof scorer !== 'function') return '';
      out = '';
      turn += 1;
      void work(turn, scorer as Scorer, records);
      return working ? undefined : out;
    },
    collect: () => {
      turn += 1;
      if (waiting) put(threw('the scorer returned a promise that did not settle; timers and I/O do not exist here'));
      return out;
    },
  };
}
