/** What the kernel lets out of the isolate, and how long it works on one call. */
export interface KernelLimits {
  readonly message_chars: number;
  /** Of one returned value, written as JSON. */
  readonly value_chars: number;
  readonly array_items: number;
  /** The kernel stops taking records after this time or this much output; the host asks again for the rest. */
  readonly slice_ms: number;
  readonly slice_chars: number;
}

type Scorer = (record: unknown) => unknown;

export interface Kernel {
  /** Begins with these records, in order; whatever the isolate can settle by itself is settled when this call ends. */
  start(scorer: Scorer, ...records: string[]): void;
  /** JSON of the outcomes so far, without the brackets. A record whose promise is still open ends here. */
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
  const { slice, toWellFormed } = String.prototype;
  const place = /scorer\.[jt]s:\d+(?::\d+)?/;

  // Memory that the isolate's limit does not count, threads, and code that runs after the call has ended.
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', 'WeakRef'] as const) {
    delete (globalThis as Record<string, unknown>)[name];
  }

  let turn = 0;
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

  const read = (text: string): { record: unknown } | undefined => {
    try {
      return { record: parse(text) };
    } catch {
      return undefined;
    }
  };

  const work = async (mine: number, scorer: Scorer, records: string[]): Promise<void> => {
    const stop = now() + limits.slice_ms;
    for (let index = 0; index < records.length; index += 1) {
      if (index > 0 && (now() > stop || out.length > limits.slice_chars)) return;
      let outcome: string;
      const input = read(records[index] as string);
      if (!input) outcome = threw('the record is not JSON');
      else {
        try {
          let value = scorer(input.record);
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
  };

  return {
    start: (scorer, ...records) => {
      out = '';
      waiting = false;
      turn += 1;
      void work(turn, scorer, records);
    },
    collect: () => {
      turn += 1;
      if (waiting) put(threw('the scorer returned a promise that did not settle; timers and I/O do not exist here'));
      return out;
    },
  };
}
