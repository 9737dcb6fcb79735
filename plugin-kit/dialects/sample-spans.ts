import type { JsonValue } from '../../core/plugin-sdk/index.ts';
import type { Attributes, SampleSpan } from './dialect-case.ts';

/** Spans of applications that have nothing to do with any dialect. */
export const STRANGERS: readonly SampleSpan[] = [
  { name: 'a span' },
  { scope: '@opentelemetry/instrumentation-http', attributes: { 'http.request.method': 'GET', 'url.full': 'https://x.test/' } },
  { scope: 'lib', attributes: { 'db.system.name': 'postgresql', 'db.query.text': 'SELECT 1', 'server.address': 'db' } },
  { attributes: { 'messaging.system': 'kafka', 'rpc.service': 'S', 'rpc.method': 'M', 'network.peer.port': 5 } },
  { attributes: { input: 'x', output: 'y', name: 'z', type: 'step', model: 'm' } },
  { attributes: { 'service.name': 's', 'code.function.name': 'f', 'thread.id': 1, 'error.type': 'E' } },
  { events: [{ name: 'exception', attributes: { 'exception.type': 'E', 'exception.message': 'broken' } }, { name: 'log' }] },
];

/** Values that senders put anywhere, by mistake or on purpose. */
export const STRANGE_VALUES: readonly JsonValue[] = [
  ...[
    '',
    ' \n',
    '"',
    '[[[',
    '{}',
    '[]',
    '[null]',
    'null',
    '0',
    '-1',
    '1e999',
    'NaN',
    '\ud800 漢字 🧪',
    '[{"role":5}]',
    '{"messages":7}',
  ],
  ...[
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    `${'['.repeat(1_000)}${']'.repeat(1_000)}`,
    'x'.repeat(20_000),
  ],
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    Number.MAX_VALUE,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    [],
    {},
    [null],
    [[1]],
    [{ role: null }],
    { a: { b: [] } },
  ],
];

/** The same span with one attribute missing, and with one replaced by each strange value; events without attributes, too. */
export function strangeVersions(span: SampleSpan): SampleSpan[] {
  const { attributes = {}, events = [] } = span;
  const names = Object.keys(attributes);
  return [
    ...names.map((name) => ({ ...span, attributes: without(attributes, name) })),
    ...names.flatMap((name) => STRANGE_VALUES.map((value) => ({ ...span, attributes: { ...attributes, [name]: value } }))),
    { ...span, events: events.map(({ name }) => ({ name })) },
    ...STRANGE_VALUES.map((value) => ({ ...span, events: events.map((event) => withValues(event, value)) })),
  ];
}

const without = (attributes: Attributes, name: string): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== name));

const withValues = ({ name, attributes = {} }: NonNullable<SampleSpan['events']>[number], value: JsonValue) => ({
  name,
  attributes: Object.fromEntries(Object.keys(attributes).map((key) => [key, value])),
});

const POISON = [
  '__proto__.polluted',
  'constructor.prototype.polluted',
  '0.__proto__.polluted',
  '__proto__',
  'constructor',
  'toString',
];

/** Names that turn into something else where they become keys of objects, in place of each part of each name. */
export function hostileNames(span: SampleSpan): SampleSpan {
  const { attributes = {} } = span;
  const hostile = Object.keys(attributes).flatMap((name) => {
    const parts = name.split('.');
    const swapped = parts.map((_, at) => [...parts.slice(0, at), '__proto__', ...parts.slice(at + 1)].join('.'));
    const longer = parts.flatMap((_, at) => POISON.map((poison) => [...parts.slice(0, at + 1), poison].join('.')));
    return [...swapped, ...longer];
  });
  return { ...span, attributes: { ...attributes, ...Object.fromEntries(hostile.map((name) => [name, 'polluted'])) } };
}

const NUMBERED = /^(.*?)\.(\d{1,4})\.(.+)$/s;

/** The same span with `times` as many items in each list that stands in its attributes, flattened or as JSON. `mark` tells the items apart. */
export function longerLists(span: SampleSpan, times: number, mark: (text: string, copy: number) => string): SampleSpan {
  const { attributes = {} } = span;
  const longer = Object.entries(attributes).flatMap(([name, value]) =>
    NUMBERED.test(name) ? flatCopies(attributes, name, times, mark) : [[name, longerValue(value, times, mark)] as const],
  );
  return { ...span, attributes: Object.fromEntries(longer) };
}

function flatCopies(attributes: Attributes, name: string, times: number, mark: (text: string, copy: number) => string) {
  const [, prefix = '', number = '', rest = ''] = NUMBERED.exec(name) ?? [];
  const numbers = Object.keys(attributes).flatMap((key) => (key.startsWith(`${prefix}.`) ? (NUMBERED.exec(key)?.[2] ?? []) : []));
  const length = Math.max(...numbers.map(Number)) + 1;
  return Array.from(
    { length: times },
    (_, copy) => [`${prefix}.${Number(number) + copy * length}.${rest}`, marked(attributes[name]!, copy, mark)] as const,
  );
}

function longerValue(value: JsonValue, times: number, mark: (text: string, copy: number) => string): JsonValue {
  const parsed = parsedList(value);
  if (parsed === undefined) return value;
  const copies = Array.from({ length: times }, (_, copy) => parsed.map((item) => marked(item, copy, mark))).flat();
  return typeof value === 'string' ? JSON.stringify(copies) : copies;
}

function parsedList(value: JsonValue): readonly JsonValue[] | undefined {
  try {
    const parsed = typeof value === 'string' && value.startsWith('[') ? JSON.parse(value) : value;
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function marked(value: JsonValue, copy: number, mark: (text: string, copy: number) => string): JsonValue {
  if (typeof value === 'string') return mark(value, copy);
  if (Array.isArray(value)) return value.map((item) => marked(item, copy, mark));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, marked(child, copy, mark)]));
}
