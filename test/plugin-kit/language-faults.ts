import { readFileSync } from 'node:fs';
import { runInNewContext, runInThisContext } from 'node:vm';
import type { CodeCall, CodeInput, CodeLanguage, CodeOutcome, CodeRun, defineCodeLanguage } from '../../core/plugin-sdk/index.ts';
import { defineCodeLanguage as define } from '../../core/plugin-sdk/index.ts';
import type { CodeLanguageCase } from '../../plugin-kit/code-language/language-case.ts';
import { javascript } from '../../plugins/code-languages/javascript/index.ts';
import { javascriptKit } from '../../plugins/code-languages/javascript/kit.ts';
import type { PlantedFault } from './planted-provider.ts';

type Head = Partial<Parameters<typeof defineCodeLanguage>[0]>;
type Run = (call: CodeRun, made: CodeLanguage) => Promise<unknown>;

const right: CodeLanguageCase = javascriptKit;
const withHead = (head: Head): CodeLanguageCase => ({ ...right, plugin: define({ ...javascript, ...head }) });
/** JavaScript, with a part of it done otherwise. */
const withParts = (parts: (made: CodeLanguage) => object): CodeLanguageCase =>
  withHead({
    create: (host) => {
      const made = javascript.create(host);
      return { ...made, ...(parts(made) as Partial<CodeLanguage>) };
    },
  });
const withRun = (run: Run): CodeLanguageCase => withParts((made) => ({ run: (call: CodeRun) => run(call, made) }));
const withCheck = (check: (call: CodeCall, made: CodeLanguage) => Promise<unknown>): CodeLanguageCase =>
  withParts((made) => ({ check: (call: CodeCall) => check(call, made) }));
/** Where the program is one of those that only try something. */
const isTry = ({ source }: CodeCall, name: keyof typeof attempts): boolean => attempts[name] === source;
const { attempts } = javascriptKit;
const changed = (change: (outcome: CodeOutcome) => unknown): CodeLanguageCase =>
  withRun(async (call, made) => (await made.run(call)).map(change));

const toRecord = (input: CodeInput): unknown => JSON.parse(typeof input === 'string' ? input : input.record);
/** Language of an author who thinks that `vm` is a sandbox. */
const inProcess = ({ source, inputs, limits }: CodeRun, globals: object): CodeOutcome[] =>
  inputs.map((input) => {
    try {
      const scorer = runInNewContext(`${source}; scorer`, globals, { timeout: limits.run_ms }) as (record: unknown) => unknown;
      return { kind: 'returned', value: scorer(toRecord(input)) as number };
    } catch (error) {
      return { kind: 'threw', message: String(error) };
    }
  });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const HEAD = 'has a well-formed head and is frozen';
const IN_ORDER = 'gives one outcome per record, in order';
const SYNTAX = 'refuses a mistake of syntax, and says in which line';
const THROWS = 'says what a program fails by, and that it failed';
const VALUES = 'gives only values that can be stored';
const SEES = 'lets no call see another';
const REACHES = 'lets no program reach network, files or environment';
const UNDER_WAY = 'ends with the reason of an abort, at once';

let calls = 0;
const shared: Record<string, unknown> = {};
const kept = new Map<string, CodeOutcome[]>();

export const languageFaults: readonly PlantedFault<CodeLanguageCase>[] = [
  { what: 'has an id that is not lower_snake_case', found: HEAD, make: () => withHead({ id: 'Java-Script' }) },
  { what: 'has an extension without its dot', found: HEAD, make: () => withHead({ extensions: ['js'] }) },
  {
    what: 'names a module of the network',
    found: HEAD,
    make: () => withHead({ preparation: new URL('https://example.org/p.js') }),
  },
  {
    what: 'computes its extensions at each read',
    found: 'has the same head at every read',
    make: () => ({
      ...right,
      plugin: Object.freeze({
        ...javascript,
        get extensions() {
          return ['.js'] as [string];
        },
      }),
    }),
  },
  {
    what: 'says nothing of what its programs can try',
    found: 'shows every attempt that its programs can make',
    make: () => ({ ...right, attempts: {} }),
  },
  {
    what: 'asks the network when it is created',
    found: 'does nothing when it is created',
    make: () =>
      withHead({
        create: (host) => {
          void host.fetch('https://example.org').catch(() => {});
          return javascript.create(host);
        },
      }),
  },
  {
    what: 'ignores the deadline',
    found: 'ends a program that does not end',
    make: () => withRun(async (call, made) => (isTry(call, 'hangs') ? sleep(9_000).then(() => []) : made.run(call))),
  },
  {
    what: 'takes a program that ran out of time for one that threw',
    found: 'ends a program that does not end',
    make: () => changed((outcome) => (outcome.kind === 'timed_out' ? { kind: 'threw', message: 'too slow' } : outcome)),
  },
  {
    what: 'ignores an abort under way',
    found: UNDER_WAY,
    make: () =>
      withRun(async (call, made) => {
        if (!isTry(call, 'hangs')) return made.run(call);
        await sleep(3_000);
        return call.inputs.map(() => ({ kind: 'timed_out', message: 'too slow' }));
      }),
  },
  {
    what: 'rejects with an error of its own when it is aborted',
    found: UNDER_WAY,
    make: () =>
      withRun((call, made) =>
        made.run(call).catch(() => {
          throw new Error('aborted');
        }),
      ),
  },
  {
    what: 'runs what was aborted before',
    found: 'runs nothing when it was aborted before',
    make: () => withRun(async (call) => call.inputs.map(() => ({ kind: 'returned', value: 1 }))),
  },
  {
    what: 'goes on with a program that is switched off',
    found: 'runs no more records of a program that is switched off',
    make: () =>
      withRun(async (call, made) => {
        if (!isTry(call, 'hangs')) return made.run(call);
        return call.inputs.map(() => ({ kind: 'timed_out', message: 'too slow' }));
      }),
  },
  {
    what: 'gives programs the network',
    found: REACHES,
    make: () => withRun(async (call) => awaited(call, { fetch: networkFetch })),
  },
  {
    what: 'gives programs the files',
    found: REACHES,
    make: () => withRun(async (call) => awaited(call, { require: () => ({ readFileSync }) })),
  },
  {
    what: 'gives programs the environment',
    found: REACHES,
    make: () => withRun(async (call) => awaited(call, { process: { env: process.env } })),
  },
  {
    what: 'lets a program end the process',
    found: 'outlives a program that ends its process',
    make: () => withRun(async (call) => inProcess(call, { process })),
  },
  {
    what: 'keeps the globals of programs from one call to the next',
    found: SEES,
    make: () =>
      withRun(async (call) => inProcess({ ...call, source: call.source.replaceAll('globalThis', 'kept') }, { kept: shared })),
  },
  {
    what: 'gives the outcomes that it gave before',
    found: 'runs a record alone as among others',
    make: () =>
      withRun(async (call, made) => {
        const known = kept.get(call.source) ?? (await made.run(call));
        kept.set(call.source, known);
        return known.slice(0, call.inputs.length);
      }),
  },
  {
    what: 'swallows what a program throws',
    found: THROWS,
    make: () => changed((outcome) => (outcome.kind === 'threw' ? { kind: 'returned', value: 0 } : outcome)),
  },
  {
    what: 'says of what a program throws only that it failed',
    found: THROWS,
    make: () => changed((outcome) => (outcome.kind === 'threw' ? { kind: 'threw', message: 'it failed' } : outcome)),
  },
  { what: 'accepts a mistake of syntax', found: SYNTAX, make: () => withCheck(async () => undefined) },
  {
    what: 'does not say in which line a mistake is',
    found: SYNTAX,
    make: () => withCheck(async (call, made) => ((await made.check(call)) ? { message: 'it is wrong' } : undefined)),
  },
  {
    what: 'accepts what is no scorer',
    found: 'refuses a program that is no scorer',
    make: () => withCheck(async (call, made) => (call.source === right.unsigned ? undefined : made.check(call))),
  },
  {
    what: 'refuses what is right',
    found: 'finds nothing wrong with a program that is right',
    make: () => withCheck(async () => ({ message: 'I do not like it', line: 3 })),
  },
  {
    what: 'changes the records',
    found: 'changes nothing that it is given',
    make: () =>
      withRun(async (call, made) => {
        const outcomes = await made.run(call);
        (call.inputs as CodeInput[]).reverse();
        return outcomes;
      }),
  },
  { what: 'gives NaN', found: VALUES, make: () => changed(withValue(Number.NaN)) },
  { what: 'gives objects of objects', found: VALUES, make: () => changed(withValue({ a: { b: 1 } })) },
  { what: 'gives nothing', found: VALUES, make: () => changed(withValue(undefined)) },
  {
    what: 'takes what is no value for 0',
    found: VALUES,
    make: () => withRun(async (call, made) => (await made.run(call)).map((one) => toZero(call, one))),
  },
  {
    what: 'gives as much as a program says',
    found: 'bounds what a program gives',
    make: () =>
      withRun(async (call, made) =>
        isTry(call, 'shouts') ? call.inputs.map(() => ({ kind: 'returned', value: 'x'.repeat(200_000) })) : made.run(call),
      ),
  },
  {
    what: 'runs programs in the memory of the service',
    found: 'holds a program to its memory',
    make: () =>
      withRun(async (call, made) => {
        if (!isTry(call, 'floods')) return made.run(call);
        kept.set('memory', [{ kind: 'returned', value: Buffer.alloc(400 * 2 ** 20, 1) as never }]);
        return [{ kind: 'out_of_memory', message: 'too much' }];
      }),
  },
  {
    what: 'leaves out the records that fail',
    found: IN_ORDER,
    make: () => withRun(async (call, made) => (await made.run(call)).filter(({ kind }) => kind === 'returned')),
  },
  {
    what: 'gives the outcomes in another order',
    found: IN_ORDER,
    make: () => withRun(async (call, made) => (await made.run(call)).toReversed()),
  },
  {
    what: 'leaves a global behind',
    found: 'leaves the process as it was',
    make: () =>
      withRun(async (call, made) => {
        calls += 1;
        // Not enumerable: libraries in this process go through the names of their objects meanwhile.
        runInThisContext(`Object.defineProperty(Object.prototype, 'leftBehind${calls}', { value: 1, configurable: true })`);
        return made.run(call);
      }),
  },
];

const withValue = (value: unknown) => (outcome: CodeOutcome) =>
  outcome.kind === 'threw' ? { kind: 'returned', value } : outcome;

function toZero({ source }: CodeCall, outcome: CodeOutcome): CodeOutcome {
  const isNoValue = (attempts.gives_no_value as readonly string[]).includes(source);
  return isNoValue && outcome.kind === 'threw' ? { kind: 'returned', value: 0 } : outcome;
}

const networkFetch = globalThis.fetch;

/** As `inProcess`, for scorers that give a promise. */
async function awaited(call: CodeRun, globals: object): Promise<CodeOutcome[]> {
  const outcomes = inProcess(call, globals);
  return Promise.all(
    outcomes.map(async (outcome): Promise<CodeOutcome> => {
      if (outcome.kind !== 'returned') return outcome;
      try {
        return { kind: 'returned', value: await outcome.value };
      } catch (error) {
        return { kind: 'threw', message: String(error) };
      }
    }),
  );
}
