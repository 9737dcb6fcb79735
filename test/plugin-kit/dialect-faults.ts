import { type OtelDialectPlugin, RANK, type Source, type SpanReader, source } from '../../core/plugin-sdk/index.ts';
import type { OtelDialectCase } from '../../plugin-kit/dialects/otel-dialect-checks.ts';
import { sampleDialect } from '../../plugin-kit/templates/otel_dialect/index.ts';
import { sampleDialectKit } from '../../plugin-kit/templates/otel_dialect/kit.ts';
import type { PlantedFault } from './planted-provider.ts';

const HEAD = 'has a well-formed head and is frozen';
const SAME = 'has the same head at every read';
const OWN = 'recognises the spans of its case';
const OTHERS = 'recognises no span of others';
const EXPECTED = 'reads of each span what is expected, and no more';
const TRIED = 'has every source tried by the spans of its case';
const ORDER = 'reads the same in whichever order attributes come';
const SHAPES = 'reads spans of any shape without failing';
const LOSS = 'loses nothing that was sent';
const LISTS = 'loses no item of longer lists';
const STATE = 'reads the same whatever was read before';
const CHANGES = 'changes nothing of what it is given';
const PROTOTYPES = 'lets no name of an attribute reach a prototype';
const PROCESS = 'leaves the process as it was, and asks nobody';
const ATTRIBUTES = 'takes time in proportion to the attributes of a span';
const ITEMS = 'takes time in proportion to the items of a list';
const LENGTH = 'takes time in proportion to the length of a string';

const P = 'sample_dialect';
type Read = (reader: SpanReader) => unknown;

/** The sample with other parts. */
const withParts = (parts: Partial<OtelDialectPlugin>, more: Partial<OtelDialectCase> = {}): OtelDialectCase =>
  ({ ...sampleDialectKit, plugin: Object.freeze({ ...sampleDialect, ...parts }), ...more }) as unknown as OtelDialectCase;

/** The sample with another source of one field. */
const withSource = (field: string, read: Read, more: Partial<OtelDialectCase> = {}): OtelDialectCase =>
  withParts({ sources: { ...sampleDialect.sources, [field]: [source(RANK.beforeConventions, read)] as never } }, more);

/** The sample with its own source of a field, whose value is changed. */
const withValue = (
  field: keyof typeof sampleDialect.sources,
  change: (value: never, reader: SpanReader) => unknown,
): OtelDialectCase => {
  const [whole] = sampleDialect.sources[field] as readonly Source<unknown>[];
  return withSource(field, (reader) => {
    const value = whole?.read(reader);
    return value === undefined ? undefined : change(value as never, reader);
  });
};

/** Changes what the author takes for right, and wrote down as expected. */
const believing = (given: OtelDialectCase, expected: object): OtelDialectCase => ({
  ...given,
  spans: given.spans.map((span, at) => (at === 0 ? { ...span, expected: { ...span.expected, ...expected } } : span)),
});

const names = (reader: SpanReader): string[] =>
  [...(reader as unknown as { unusedAttributes: [string, unknown][] }).unusedAttributes].map(([name]) => name);

const heads: readonly PlantedFault<OtelDialectCase>[] = [
  { what: 'has an id that is not lower_snake_case', found: HEAD, make: () => withParts({ id: 'Sample' }) },
  { what: 'has a summary that is no sentence', found: HEAD, make: () => withParts({ summary: 'no sentence' }) },
  { what: 'is written for another SDK', found: HEAD, make: () => withParts({ sdk: 99 }) },
  { what: 'is not frozen', found: HEAD, make: () => ({ ...withParts({}), plugin: { ...sampleDialect } }) },
  { what: 'recognises by nothing', found: HEAD, make: () => withParts({ recognizes: {} }) },
  { what: 'recognises by an empty prefix', found: HEAD, make: () => withParts({ recognizes: { attributes: ['.'] } }) },
  { what: 'has a field that spans do not have', found: HEAD, make: () => withSource('prompt', () => 'x') },
  {
    what: 'has a rank before what is addressed to the service',
    found: HEAD,
    make: () => withParts({ sources: { ...sampleDialect.sources, model: [source(0, () => 'm')] } }),
  },
  {
    what: 'has sources that are made anew at each read',
    found: SAME,
    make: () => ({
      ...withParts({}),
      plugin: Object.freeze(
        Object.defineProperty({ ...sampleDialect }, 'sources', { get: () => sampleDialect.sources, enumerable: true }),
      ),
    }),
  },
  { what: 'does not recognise its own spans', found: OWN, make: () => withParts({ recognizes: { attributes: ['sample.'] } }) },
  {
    what: 'claims every span, by names that all have',
    found: OTHERS,
    make: () => withParts({ recognizes: { attributes: ['sample_dialect.', 'http.', 'db.', 'service.'] } }),
  },
  {
    what: 'claims spans with exceptions',
    found: OTHERS,
    make: () => withParts({ recognizes: { attributes: ['sample_dialect.'], events: ['exception'] } }),
  },
  {
    what: 'claims the spans of a library of others',
    found: OTHERS,
    make: () => withParts({ recognizes: { attributes: ['sample_dialect.'], scopes: ['@opentelemetry/instrumentation-http'] } }),
  },
];

const values: readonly PlantedFault<OtelDialectCase>[] = [
  {
    what: 'throws on attributes that are missing',
    found: SHAPES,
    make: () =>
      withSource('model', (reader) => (reader.has(`${P}.tokens.in`) ? (reader.text(`${P}.model`) as string).trim() : undefined)),
  },
  {
    what: 'throws on JSON that is broken',
    found: SHAPES,
    make: () =>
      withSource('session', (reader) =>
        reader.has(`${P}.session`) ? (JSON.parse(`"${reader.text(`${P}.session`)}"`) as string) : undefined,
      ),
  },
  {
    what: 'takes any value for a string',
    found: SHAPES,
    make: () => withSource('session', (reader) => reader.value(`${P}.session`)),
  },
  {
    what: 'gives NaN for tokens that are no number',
    found: SHAPES,
    make: () =>
      withSource('num_input_tokens', (reader) =>
        reader.has(`${P}.tokens.in`) ? Number(reader.text(`${P}.tokens.in`)) : undefined,
      ),
  },
  {
    what: 'gives tokens as a string',
    found: EXPECTED,
    make: () => withSource('num_input_tokens', (reader) => reader.text(`${P}.tokens.in`)),
  },
  { what: 'gives negative tokens', found: EXPECTED, make: () => withValue('num_input_tokens', (count: number) => -count) },
  {
    what: 'passes negative tokens on',
    found: SHAPES,
    make: () => withSource('num_input_tokens', (reader) => reader.number(`${P}.tokens.in`)),
  },
  { what: 'gives a type that there is not', found: EXPECTED, make: () => withValue('type', () => 'model_call') },
  { what: 'gives a promise', found: EXPECTED, make: () => withValue('model', async (model) => model) },
  {
    what: 'gives messages with objects as content',
    found: EXPECTED,
    make: () => withValue('input_messages', (messages: object[]) => messages.map((message) => ({ ...message, content: {} }))),
  },
  {
    what: 'gives values that are no JSON',
    found: EXPECTED,
    make: () =>
      believing(
        withSource('tools', (reader) =>
          reader.has(`${P}.tokens.in`) ? [{ at: new Date(0), call: () => 5, big: 5n }] : undefined,
        ),
        { tools: [{ at: '1970-01-01T00:00:00.000Z' }] },
      ),
  },
  {
    what: 'reads more than its author knows',
    found: EXPECTED,
    make: () => withSource('user_id', (reader) => reader.peekText(`${P}.session`)),
  },
  {
    what: 'has a source that no span of the case tries',
    found: TRIED,
    make: () => withSource('cost', (reader) => reader.number(`${P}.cost`)),
  },
];

let seen = 0;
let lastModel: string | undefined;
const texts = new Map<string, string>();

const losses: readonly PlantedFault<OtelDialectCase>[] = [
  {
    what: 'drops all messages but the last',
    found: LOSS,
    make: () =>
      believing(
        withValue('input_messages', (messages: object[]) => messages.slice(-1)),
        { input_messages: [{ role: 'user', content: 'Why?' }] },
      ),
  },
  {
    what: 'drops messages behind the second',
    found: LISTS,
    make: () => withValue('input_messages', (messages: object[]) => messages.slice(0, 2)),
  },
  {
    what: 'uses an attribute and keeps nothing of it',
    found: LOSS,
    make: () =>
      withSource('model', (reader) => {
        reader.value(`${P}.tag.city`);
        return reader.text(`${P}.model`);
      }),
  },
  {
    what: 'depends on the order of attributes',
    found: ORDER,
    make: () =>
      withSource('model', (reader) =>
        reader.has(`${P}.model`) && names(reader).indexOf(`${P}.model`) < names(reader).indexOf(`${P}.tag.city`)
          ? reader.text(`${P}.model`)
          : undefined,
      ),
  },
  {
    what: 'reads every other span',
    found: STATE,
    make: () =>
      withSource('session', (reader) => {
        seen += 1;
        return seen > 12 ? undefined : reader.text(`${P}.session`);
      }),
  },
  {
    what: 'keeps the model of the last span',
    found: STATE,
    make: () => {
      lastModel = undefined;
      return withSource('model', (reader) => {
        lastModel = reader.text(`${P}.model`) ?? lastModel;
        return lastModel;
      });
    },
  },
  {
    what: 'remembers texts by the name of the span',
    found: EXPECTED,
    make: () =>
      withSource('output_text', (reader) => {
        const { name } = reader.facts;
        if (!texts.has(name)) texts.set(name, 'first');
        return texts.get(name);
      }),
  },
];

const processes: readonly PlantedFault<OtelDialectCase>[] = [
  {
    what: 'writes into the list of an attribute',
    found: CHANGES,
    make: () => ({
      ...withSource('tags', (reader) => {
        const tags = reader.value(`${P}.tags`) as string[] | undefined;
        tags?.push('more');
        return tags;
      }),
      spans: [{ name: 'tagged', attributes: { [`${P}.tags`]: ['a'] }, expected: { tags: ['a', 'more'] } }],
    }),
  },
  {
    what: 'takes attributes of an event away',
    found: CHANGES,
    make: () => ({
      ...withSource('model', (reader) => {
        const [event] = reader.events('asked');
        (event?.attributes as Map<string, unknown> | undefined)?.delete('x');
        return undefined;
      }),
      spans: [
        {
          attributes: { [`${P}.kind`]: 'step' },
          events: [{ name: 'asked', attributes: { x: 1 } }],
          expected: { type: 'workflow' },
        },
      ],
    }),
  },
  {
    what: 'builds objects by the names of attributes',
    found: PROTOTYPES,
    make: () =>
      withSource('model', (reader) => {
        const tree: Record<string, Record<string, unknown>> = {};
        for (const name of names(reader)) {
          const [first = '', second = ''] = name.split('.').slice(-2);
          tree[first] ??= {};
          tree[first][second] = 'polluted';
        }
        return reader.text(`${P}.model`);
      }),
  },
  {
    what: 'prints what it reads',
    found: PROCESS,
    make: () =>
      withValue('model', (model: string) => {
        // biome-ignore lint/suspicious/noConsole: the mistake itself.
        console.log(model);
        return model;
      }),
  },
  {
    what: 'looks something up in the network',
    found: PROCESS,
    make: () =>
      withValue('model', (model: string) => {
        fetch('http://127.0.0.1:9/models').catch(() => {});
        return model;
      }),
  },
  {
    what: 'changes the environment',
    found: PROCESS,
    make: () =>
      withValue('model', (model: string) => {
        process.env.SAMPLE_DIALECT_MODEL = model;
        return model;
      }),
  },
];

const growth: readonly PlantedFault<OtelDialectCase>[] = [
  {
    what: 'looks at all attributes for each of them',
    found: ATTRIBUTES,
    make: () =>
      withSource('model', (reader) => {
        for (const name of names(reader)) reader.hasUnder(`${name}.`);
        return reader.text(`${P}.model`);
      }),
  },
  {
    what: 'compares each message with all before it',
    found: ITEMS,
    make: () =>
      withValue('input_messages', (messages: { content: string }[]) =>
        messages.filter((one, at) => !messages.slice(0, at).some((other) => toComparable(other) === `${toComparable(one)} `)),
      ),
  },
  {
    what: 'looks at the rest of a text at each of its places',
    found: LENGTH,
    make: () => ({
      ...withSource('input_text', (reader) => {
        const text = reader.text(`${P}.input`);
        return text !== undefined && isQuadratic(text) ? text : undefined;
      }),
      spans: [
        {
          attributes: { [`${P}.kind`]: 'step', [`${P}.input`]: 'a text that is long enough to grow' },
          expected: { type: 'workflow', input_text: 'a text that is long enough to grow' },
        },
      ],
    }),
  },
];

const toComparable = ({ content }: { content: string }): string => content.trim().toLowerCase();

/** Always true, after a time that goes with the square of the length. */
function isQuadratic(text: string): boolean {
  let found = 0;
  for (let at = 0; at < text.length; at += 64) if (text.slice(at).split('').includes('§')) found += 1;
  return found === 0;
}

/** Mistakes that authors of dialects make, each with the check that has to find it. */
export const dialectFaults = [...heads, ...values, ...losses, ...processes, ...growth];
