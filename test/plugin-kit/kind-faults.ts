import { request as requestOverHttp } from 'node:http';
import {
  type CodeOutcome,
  type JudgeCompletion,
  type ScoreOutcome,
  type ScoreRequest,
  type ScorerKit,
  z,
} from '../../core/plugin-sdk/index.ts';
import { sampleKind } from '../../plugin-kit/templates/scorer_kind/index.ts';
import { sampleKindKit } from '../../plugin-kit/templates/scorer_kind/kit.ts';
import {
  askingKind,
  type Definition,
  type KindCase,
  runningKind,
  withHead,
  withOutcome,
  withPlugin,
  withScore,
} from './planted-kind.ts';
import type { PlantedFault } from './planted-provider.ts';

const HEAD = 'has a well-formed head and is frozen';
const SAME = 'has the same head and schema at every read';
const IN_ORDER = 'gives one outcome per record, in order';
const STORED = 'gives outcomes that can be stored';
const STRANGE = 'judges strange records without failing';
const ABORT = 'ends with the reason of an abort';
const VERSIONS = 'keeps two versions apart';
const CALLS = 'keeps two calls apart';
const ALONE = 'judges a record alone as among others';
const CHANGES_NOTHING = 'changes nothing of what it is given';
const PAST = 'asks only through the host';
const AS_IT_WAS = 'leaves the process as it was';
const { definition: whole } = sampleKind;
const never = () => new AbortController().signal;
/** Changes what the author takes for right, and wrote down as expected. */
const believed = (change: (outcome: ScoreOutcome) => unknown): KindCase => ({
  ...withOutcome(change),
  expected: sampleKindKit.expected.map(change) as ScoreOutcome[],
});
const gives = (value: unknown): KindCase => believed(() => ({ status: 'success', value }));

let reads = 0;
let lastDefinition: Definition | undefined;
const known = new Map<string, unknown>();

/** In the head of the plugin and in its schema. */
const heads: readonly PlantedFault<KindCase>[] = [
  { what: 'has an id that is not lower_snake_case', found: HEAD, make: () => withHead({ id: 'Sample' }) },
  { what: 'has a summary that is no sentence', found: HEAD, make: () => withHead({ summary: 'no sentence' }) },
  { what: 'is written for another SDK', found: HEAD, make: () => withHead({ sdk: 99 }) },
  { what: 'is not frozen', found: HEAD, make: () => withPlugin({ ...sampleKind }) },
  {
    what: 'has a schema that changes between reads',
    found: SAME,
    make: () =>
      withPlugin(
        Object.freeze({
          ...sampleKind,
          get definition() {
            reads += 1;
            return reads % 2 === 0 ? whole : whole.extend({ more: z.string().optional() });
          },
        }),
      ),
  },
  {
    what: 'takes an empty definition',
    found: 'refuses an empty definition',
    make: () => withHead({ definition: whole.partial() as never }),
  },
  {
    what: 'reads its own definition otherwise the second time',
    found: 'accepts its definition as it is stored',
    make: () =>
      withHead({
        definition: z.strictObject({
          max_words: z
            .int()
            .min(1)
            .overwrite((words) => words + 1),
        }),
      }),
  },
  {
    what: 'says something else of its surroundings each time',
    found: 'says the same of its surroundings each time',
    make: () => {
      let asked = 0;
      return withHead({ surroundings: () => (asked++ % 2 === 0 ? 'trace' : 'none') });
    },
  },
  {
    what: 'names surroundings that there are none of',
    found: 'says the same of its surroundings each time',
    make: () => withHead({ surroundings: () => 'everything' as never }),
  },
  {
    what: 'asks for a model when it is created',
    found: 'does nothing when it is created',
    make: () =>
      withHead({
        create: (kit, definition) => {
          void kit.model('judge').catch(() => {});
          return sampleKind.create(kit, definition);
        },
      }),
  },
];

/** In what it gives. */
const outcomes: readonly PlantedFault<KindCase>[] = [
  { what: 'gives another value', found: IN_ORDER, make: () => withOutcome((outcome) => ({ ...outcome, value: false })) },
  {
    what: 'gives the outcomes in another order',
    found: IN_ORDER,
    make: () => withScore(async (made, request) => (await made.score(request)).toReversed()),
  },
  {
    what: 'leaves out an outcome',
    found: IN_ORDER,
    make: () => withScore(async (made, request) => (await made.score(request)).slice(1)),
  },
  {
    what: 'leaves out records that it cannot judge',
    found: IN_ORDER,
    make: () => withScore(async (made, request) => (await made.score(request)).filter(({ status }) => status === 'success')),
  },
  {
    what: 'gives an outcome of no record',
    found: 'gives no outcome when there is no record',
    make: () =>
      withScore(async (made, request) =>
        request.items.length > 0 ? made.score(request) : [{ status: 'failed', message: 'nothing' }],
      ),
  },
  { what: 'gives NaN', found: STORED, make: () => gives(Number.NaN) },
  { what: 'gives Infinity', found: STORED, make: () => gives(Number.POSITIVE_INFINITY) },
  { what: 'gives an object', found: STORED, make: () => gives({ words: 3 }) },
  { what: 'gives a list of lists', found: STORED, make: () => gives([[1]]) },
  { what: 'gives a date', found: STORED, make: () => gives(new Date(0)) },
  { what: 'gives a map', found: STORED, make: () => gives(new Map([['a', true]])) },
  { what: 'gives no value', found: STORED, make: () => gives(undefined) },
  {
    what: 'gives an object of a class of its own',
    found: STORED,
    make: () => gives(Object.assign(new (class Labels {})(), { good: true })),
  },
  { what: 'has a status of its own', found: STORED, make: () => believed((outcome) => ({ ...outcome, status: 'ok' })) },
  { what: 'fails without a word', found: STORED, make: () => believed(() => ({ status: 'failed', message: '' })) },
  {
    what: 'counts tokens that are not numbers',
    found: STORED,
    make: () => believed((one) => ({ ...one, effort: { input_tokens: Number.NaN } })),
  },
  {
    what: 'gives NaN of an empty text',
    found: STRANGE,
    make: () =>
      withScore(async (_made, { items }) =>
        items.map(({ record }) => {
          const words = String(JSON.parse(record).output ?? '').match(/\S+/g) ?? [];
          const long = words.filter((word) => word.length > 5);
          return { status: 'success', value: long.length / words.length };
        }),
      ),
  },
  {
    what: 'throws on a record of another shape',
    found: STRANGE,
    make: () =>
      withScore(async (made, request) => {
        for (const { record } of request.items) if (JSON.parse(record).output === undefined) throw new TypeError('no output');
        return made.score(request);
      }),
  },
];

/** In what it keeps, what it changes, and when it ends. */
const states: readonly PlantedFault<KindCase>[] = [
  { what: 'ignores an abort', found: ABORT, make: () => withScore((made, { items }) => made.score({ items, signal: never() })) },
  {
    what: 'ends an abort with an error of its own',
    found: ABORT,
    make: () => withScore((made, request) => made.score(request).catch(() => Promise.reject(new Error('stopped')))),
  },
  {
    what: 'calls what is aborted failed',
    found: ABORT,
    make: () =>
      withScore(async (made, { items, signal }) =>
        signal.aborted ? items.map(() => ({ status: 'failed', message: 'aborted' })) : made.score({ items, signal }),
      ),
  },
  {
    what: 'keeps one definition for all versions: the last wins',
    found: VERSIONS,
    make: () =>
      withHead({
        create: (kit, definition) => {
          lastDefinition = definition;
          return { score: (request) => sampleKind.create(kit, lastDefinition ?? definition).score(request) };
        },
      }),
  },
  {
    what: 'remembers outcomes by the record alone',
    found: VERSIONS,
    make: () => {
      known.clear();
      return withScore(async (made, request) => {
        const fresh = await made.score(request);
        return fresh.map((outcome, index) => {
          const key = request.items[index]?.record ?? '';
          if (!known.has(key)) known.set(key, outcome);
          return known.get(key);
        });
      });
    },
  },
  {
    what: 'counts what it has scored before',
    found: CALLS,
    make: () =>
      withHead({
        create: (kit, definition) => {
          let scored = 0;
          const made = sampleKind.create(kit, definition);
          return {
            async score(request) {
              scored += request.items.length;
              const given = await made.score(request);
              return scored > request.items.length ? given.map(() => ({ status: 'failed' as const, message: 'seen' })) : given;
            },
          };
        },
      }),
  },
  {
    what: 'judges a record by its neighbours',
    found: ALONE,
    make: () =>
      withScore(async (made, request) => {
        const given = await made.score(request);
        return request.items.length < 2 ? given.map((one) => ({ ...one, value: true, status: 'success' })) : given;
      }),
  },
  {
    what: 'changes the records it was given',
    found: CHANGES_NOTHING,
    make: () =>
      withScore(async (made, request) => {
        const given = await made.score(request);
        for (const item of request.items) Object.assign(item, { record: item.record.toUpperCase() });
        return given;
      }),
  },
  {
    what: 'changes the order of what is around a record',
    found: CHANGES_NOTHING,
    make: () =>
      withScore((made, request) => {
        for (const { around } of request.items) (around as string[] | undefined)?.push('{}');
        return made.score(request);
      }),
  },
  {
    what: 'changes its definition',
    found: CHANGES_NOTHING,
    make: () =>
      withScore(async (made, request, definition) => {
        const given = await made.score(request);
        definition.max_words += 1;
        return given;
      }),
  },
  {
    what: 'asks by the global fetch',
    found: PAST,
    make: () =>
      withScore((made, request) =>
        fetch('https://words.test')
          .catch(() => {})
          .then(() => made.score(request)),
      ),
  },
  {
    what: 'tells a server of its own that it was used',
    found: PAST,
    make: () =>
      withScore((made, request) => {
        requestOverHttp('http://127.0.0.1:9/used')
          .on('error', () => {})
          .end();
        return made.score(request);
      }),
  },
  {
    what: 'writes to the console',
    found: AS_IT_WAS,
    make: () =>
      withScore((made, request) => {
        // biome-ignore lint/suspicious/noConsole: the mistake itself.
        console.log(request.items.length);
        return made.score(request);
      }),
  },
  {
    what: 'leaves something in the environment',
    found: AS_IT_WAS,
    make: () =>
      withScore((made, request) => {
        process.env.SAMPLE_KIND_SCORED = 'yes';
        return made.score(request);
      }),
  },
];

const verdict = ({ text }: JudgeCompletion) => ({ status: 'success', value: Number(text) });
const question = (signal: AbortSignal) => ({
  messages: [{ role: 'user' as const, content: 'Is it good?' }],
  judge: 0,
  signal,
  accept: () => true,
});
const asking = (kit: ScorerKit, { signal }: ScoreRequest) => kit.model('judge').then((model) => model.ask(question(signal)));
const ran = ([outcome]: readonly CodeOutcome[]) => ({
  status: 'success',
  value: outcome?.kind === 'returned' ? outcome.value : 0,
});

/** In how it uses what the host provides. */
const hosts: readonly PlantedFault<KindCase>[] = [
  {
    what: 'scores with a value of its own when the model fails',
    found: 'makes no score of a model that fails',
    make: () => askingKind((kit, request) => asking(kit, request).then(verdict, () => ({ status: 'success', value: 0 }))),
  },
  {
    what: 'throws an error of its own when the model fails',
    found: 'makes no score of a model that fails',
    make: () => askingKind((kit, request) => asking(kit, request).then(verdict, () => Promise.reject(new Error('no model')))),
  },
  {
    what: 'asks the model with another signal',
    found: 'asks a model only what can be sent, and hands on the signal',
    make: () => askingKind((kit, { items }) => asking(kit, { items, signal: never() }).then(verdict)),
  },
  {
    what: 'runs code though it is aborted',
    found: ABORT,
    make: () =>
      runningKind(async (kit, { items, signal }) => {
        const outcomes = await kit.runCode(
          { language: 'javascript', source: 'return 1' },
          items.map(({ record }) => record),
        );
        signal.throwIfAborted();
        return outcomes.map((outcome) => ran([outcome]));
      }),
  },
];

/** Every mistake in a kind of scorers that the kit has to find, each planted alone in a kind that is whole. */
export const kindFaults = [...heads, ...outcomes, ...states, ...hosts];

/** Kinds that are whole: the kit finds nothing in them. */
export const wholeKinds: readonly KindCase[] = [
  sampleKindKit as unknown as KindCase,
  askingKind((kit, request) => asking(kit, request).then(verdict)),
  runningKind(async (kit, { items, signal }) => {
    signal.throwIfAborted();
    const given = await kit.runCode(
      { language: 'javascript', source: 'return 1' },
      items.map(({ record }) => record),
    );
    return given.map((outcome) => ran([outcome]));
  }),
];
