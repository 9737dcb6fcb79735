import fc from 'fast-check';
import { expect, it } from 'vitest';
import { INSTALLED } from '../../../config/plugins.ts';
import { expandSpan, MAPPING, RESOURCE } from '../../../test/fixtures/otel/short-form.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { FLAT } from '../../traces/ingest/ingest-schema.ts';
import { ourOwn } from '../dialects/our-own.ts';
import { plain } from '../dialects/plain.ts';
import { summarizeTrace } from '../trace-summary.ts';
import { mapSpan } from './map-span.ts';
import { TrackingSpanReader } from './span-reader.ts';

/** Every key that a source asks for, found by asking. */
function keysAskedFor(): string[] {
  const asked = new Set<string>();
  const span = expandSpan({ spanId: '1' });
  class Recorder extends Map<string, JsonValue> {
    override get(key: string) {
      asked.add(key);
      return super.get(key);
    }
    override has(key: string) {
      asked.add(key);
      return super.has(key);
    }
  }
  const reader = new TrackingSpanReader({ ...span, attributes: new Recorder() }, '', { resource: RESOURCE, prefixes: ['eval.'] });
  for (const sources of [ourOwn, plain, ...INSTALLED.otelDialects.map((plugin) => plugin.sources)])
    for (const { read } of Object.values(sources).flat()) reader.attempt(read as never);
  return [...asked];
}

const KEYS = keysAskedFor();
const LISTS = [
  'llm.input_messages',
  'llm.output_messages',
  'gen_ai.prompt',
  'gen_ai.completion',
  'retrieval.documents',
  'llm.tools',
];
const RESTS = [
  'role',
  'content',
  'message.role',
  'message.content',
  'message.contents.0.message_content.type',
  'tool_calls.1.id',
  'document.metadata',
  'tool.json_schema',
];
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...KEYS) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...LISTS), fc.nat(20_000), fc.constantFrom(...RESTS)).map((parts) => parts.join('.')),
  },
  fc.constantFrom(
    'metadata',
    'langfuse.observation.metadata',
    'langfuse.observation.metadata.plan',
    'ai.settings.context.plan',
    'plan',
    '__proto__',
    'otel.span_kind',
  ),
  fc.string({ unit: 'binary' }),
);
const known = fc.constantFrom<JsonValue>(
  'llm',
  'LLM',
  'TOOL',
  'chat',
  'invoke_agent',
  '"CHAT_MODEL"',
  'generation',
  'retrieval',
  'ai.generateText.doGenerate',
  'ERROR',
  '{}',
  '[]',
  '""',
  '[[[',
  -1,
  Number.POSITIVE_INFINITY,
  '1e999',
  Number.NaN,
);
const part = fc.record(
  {
    type: fc.constantFrom('text', 'tool_call', 'tool_call_response', 'blob', 'image_url', 'x'),
    content: fc.jsonValue({ maxDepth: 2 }),
    id: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    role: fc.oneof(fc.constant('user'), fc.jsonValue({ maxDepth: 1 })),
    parts: fc.array(part, { maxLength: 3 }),
    content: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
);
const toStructured = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(message, { maxLength: 3 }),
  fc.record({ messages: fc.array(message, { maxLength: 2 }) }),
) as fc.Arbitrary<JsonValue>;
const value = fc.oneof(
  known,
  fc.string({ unit: 'binary' }),
  toStructured,
  toStructured.map((json) => JSON.stringify(json)),
);
const attributes = fc.array(fc.tuple(key, value), { maxLength: 25 });
const events = fc.array(
  fc.record({
    name: fc.constantFrom('exception', 'gen_ai.user.message', 'gen_ai.choice', 'db.query.result', 'gen_ai.content.prompt', 'x'),
    attributes: fc.dictionary(
      fc.constantFrom('content', 'message', 'id', 'exception.escaped', 'gen_ai.prompt', 'gen_ai.event.content', '__proto__'),
      value,
    ),
  }),
  { maxLength: 3 },
);
const spanWith = (bag: [string, JsonValue][], told: { name: string; attributes: Record<string, JsonValue> }[]) => ({
  ...expandSpan({ spanId: '00f067aa0ba902b7', events: told }),
  attributes: new Map(bag),
});

it('asks for the keys of every convention', () => {
  expect(KEYS.length).toBeGreaterThan(120);
});

it('maps any attributes to a record that ingest would take', () => {
  fc.assert(
    fc.property(attributes, events, (bag, told) => {
      const mapped = mapSpan(spanWith(bag, told), 'lib', RESOURCE, MAPPING);
      const { attributes: own, of_trace, kept_attributes, ...record } = mapped;
      const wire = JSON.parse(JSON.stringify({ ...record, ...own })) as { input: unknown; output: unknown };
      expect(FLAT[mapped.type].safeParse(withKnownRoles(wire)).error).toBeUndefined();
      expect(JSON.stringify(mapped)).not.toMatch(/(?<!\\)(\\\\)*\\u0000/);
      expect(summarizeTrace([mapped])).toBeDefined();
    }),
    { numRuns: 500 },
  );
});

/** Roles that nobody knows are kept as they came; ingest takes the known ones only. */
function withKnownRoles<R extends { input: unknown; output: unknown }>(record: R): R {
  const known = (message: unknown) => (isMessage(message) ? { ...message, role: 'user' } : message);
  return { ...record, input: Array.isArray(record.input) ? record.input.map(known) : record.input, output: known(record.output) };
}
const isMessage = (value: unknown): value is object => typeof value === 'object' && value !== null && 'role' in value;

/** A media type only says how to read the value beside it; the other is never kept. */
const leavesNoTrace = (name: string): boolean => name.endsWith('.mime_type') || name.startsWith('ai.request.headers.');
const type = fc.constantFrom<[string, JsonValue]>(
  ['openinference.span.kind', 'LLM'],
  ['openinference.span.kind', 'TOOL'],
  ['langfuse.observation.type', 'retriever'],
  ['gen_ai.operation.name', 'chat'],
  ['gen_ai.operation.name', 'invoke_agent'],
  ['eval.span.type', 'control'],
  ['x', 'y'],
);

it('uses every attribute or keeps it: each text that was sent stands somewhere in the record', () => {
  fc.assert(
    fc.property(type, fc.uniqueArray(key, { maxLength: 30 }), (kind, keys) => {
      const told = new Map<string, JsonValue>(keys.map((name, at) => [name, `sent-${at}-`]));
      const mapped = mapSpan({ ...spanWith([], []), attributes: new Map([...told, kind]) }, 'lib', RESOURCE, MAPPING);
      const text = JSON.stringify(mapped);
      told.delete(kind[0]);
      const missing = [...told].filter(([name, sent]) => !leavesNoTrace(name) && !text.includes(sent as string));
      expect(missing).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

it('keeps exactly what no field took', () => {
  fc.assert(
    fc.property(attributes, (bag) => {
      const { kept_attributes, user_metadata } = mapSpan(spanWith(bag, []), 'lib', RESOURCE, MAPPING);
      expect(kept_attributes).toBeLessThanOrEqual(new Map(bag).size);
      if (kept_attributes > 0) expect(Object.keys(user_metadata).length).toBeGreaterThan(2);
    }),
    { numRuns: 300 },
  );
});

it('takes a message part whose type is no text', () => {
  const type: JsonValue = [Object.create(null) as JsonValue];
  const part = 'llm.input_messages.0.message.contents.0.message_content.type';
  const attributes = new Map<string, JsonValue>([
    ['gen_ai.request.model', 'a model'],
    [part, type],
  ]);
  const mapped = mapSpan({ ...expandSpan({ spanId: '00f067aa0ba902b7' }), attributes }, 'lib', RESOURCE, MAPPING);
  expect(JSON.stringify(mapped)).toContain('[{}]');
});
