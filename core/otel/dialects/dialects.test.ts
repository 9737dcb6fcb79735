import { describe, expect, it } from 'vitest';
import { INSTALLED } from '../../../config/plugins.ts';
import { expandSpan, MAPPING, RESOURCE, type ShortSpan } from '../../../test/fixtures/otel/short-form.ts';
import { defineOtelDialect, type OtelDialectPlugin, RANK, type SpanReader, source, textAt } from '../../plugin-sdk/index.ts';
import { mapSpan } from '../spans/map-span.ts';
import { TrackingSpanReader } from '../spans/span-reader.ts';
import { Dialects } from './dialects.ts';
import { toFaultLog } from './fault-log.ts';
import type { DialectFault } from './guarded-source.ts';
import { ourOwn } from './our-own.ts';
import { plain } from './plain.ts';
import { type Field, toSources } from './vocabulary.ts';

const VOCABULARIES = [
  { id: 'our_own', sources: ourOwn },
  ...INSTALLED.otelDialects.map(({ id, sources }) => ({ id, sources })),
  { id: 'plain', sources: plain },
];
const ALL = toSources(VOCABULARIES.map(({ sources }) => sources));

describe('the dialects that are built in', () => {
  /** Of the types, some ranks are one rule for the keys of several dialects, with one answer. */
  it.each([...ALL.keys()].filter((field) => field !== 'type'))('agree on who is asked first for %s', (field) => {
    const ranks = ALL.get(field)!.map(({ rank }) => rank);
    expect(ranks.length).toBeGreaterThan(0);
    expect(new Set(ranks).size).toBe(ranks.length);
  });

  it('ask the kinds of every convention before they guess a type', () => {
    expect(VOCABULARIES.map(({ id, sources }) => [id, sources.type?.[0]?.rank])).toEqual([
      ['our_own', 0],
      ['langfuse', 3],
      ['gen_ai', 7],
      ['openinference', 2],
      ['openllmetry', 5],
      ['ai_sdk', 6],
      ['mlflow', 4],
      ['plain', 8.1],
    ]);
  });

  it('have ranks between those that are for dialects from outside', () => {
    const ranks = INSTALLED.otelDialects.flatMap(({ sources }) => Object.values(sources).flat()).map(({ rank }) => rank);
    expect(ranks.length).toBeGreaterThan(150);
    expect(Math.min(...ranks)).toBeGreaterThan(RANK.beforeConventions);
    expect(Math.max(...ranks)).toBeLessThan(20);
  });

  it.each(INSTALLED.otelDialects.map((plugin) => [plugin.id, plugin] as const))(
    '%s recognises a span by every attribute and event that it asks for',
    (_id, plugin) => {
      const { keys, events } = namesAskedFor(plugin);
      expect(keys.length).toBeGreaterThan(5);
      const dialects = new Dialects([plugin], () => {});
      const isUnknown = (span: ShortSpan) => dialects.planFor(expandSpan(span), '').dialects.length === 0;
      expect(keys.filter((key) => isUnknown({ spanId: '1', attributes: { [key]: 'x' } }))).toEqual([]);
      expect(events.filter((name) => isUnknown({ spanId: '1', events: [{ name }] }))).toEqual([]);
    },
  );
});

it('asks a source that needs an attribute only where that is there', () => {
  const asked: string[] = [];
  const read = (reader: SpanReader): string | undefined => {
    asked.push(reader.facts.name);
    return reader.text('who');
  };
  const needy = defineOtelDialect({
    id: 'needy',
    sdk: 1,
    label: 'Needy',
    stability: 'experimental',
    summary: 'Reads one attribute.',
    recognizes: { scopes: ['needy'] },
    sources: { user_id: [{ rank: 200, needs: 'who', read }] },
  });
  const mapping = { ...MAPPING, dialects: new Dialects([needy], () => {}) };
  const userOf = (span: ShortSpan) => mapSpan(expandSpan(span), 'needy', RESOURCE, mapping).of_trace.user_id;
  expect(userOf({ spanId: '1', name: 'without', attributes: {} })).toBeNull();
  expect(userOf({ spanId: '2', name: 'with', attributes: { who: 'ada' } })).toBe('ada');
  expect(asked).toEqual(['with']);
});

/** Collects the names that a dialect's sources ask an empty span for. */
function namesAskedFor({ sources }: OtelDialectPlugin): { keys: string[]; events: string[] } {
  const [keys, events] = [new Set<string>(), new Set<string>()];
  class Recorder extends TrackingSpanReader {
    override has(key: string) {
      keys.add(key);
      return super.has(key);
    }
    override peek(key: string) {
      keys.add(key);
      return super.peek(key);
    }
    override hasUnder(...prefixes: readonly string[]) {
      for (const prefix of prefixes) keys.add(`${prefix}x`);
      return super.hasUnder(...prefixes);
    }
    override list(prefix: string) {
      keys.add(`${prefix}.0.x`);
      return super.list(prefix);
    }
    override events(...names: readonly string[]) {
      for (const name of names) events.add(name);
      return super.events(...names);
    }
  }
  const reader = new Recorder(expandSpan({ spanId: '1' }), '', { resource: RESOURCE, prefixes: [] });
  for (const { read } of Object.values(sources).flat()) reader.attempt(read as (reader: SpanReader) => unknown);
  return { keys: [...keys], events: [...events] };
}

const dialect = (id: string, parts: Partial<OtelDialectPlugin>) =>
  defineOtelDialect({
    id,
    sdk: 1,
    stability: 'experimental',
    label: 'Acme',
    summary: 'A dialect of the tests.',
    recognizes: { attributes: ['acme.'] },
    sources: {},
    ...parts,
  });
const ACME: ShortSpan = {
  spanId: '00f067aa0ba902b7',
  attributes: { 'acme.model': 'm-1', 'acme.step': 'call', 'acme.list': ['a'] },
};

function mapped(span: ShortSpan, ...plugins: readonly OtelDialectPlugin[]) {
  const faults: DialectFault[] = [];
  const dialects = new Dialects([...INSTALLED.otelDialects, ...plugins], (fault) => faults.push(fault));
  return { ...mapSpan(expandSpan(span), 'lib', RESOURCE, { ...MAPPING, dialects }), faults };
}

describe('a dialect', () => {
  it('reads the spans that it recognises, by scope, attribute or event, and no others', () => {
    const sources = { type: [source(RANK.beforeConventions, () => 'control' as const)] };
    const typed = (recognizes: OtelDialectPlugin['recognizes'], span: ShortSpan) =>
      mapped(span, dialect('acme', { recognizes, sources })).type;
    expect(typed({ attributes: ['acme.'] }, ACME)).toBe('control');
    expect(typed({ attributes: ['acme.step'] }, ACME)).toBe('control');
    expect(typed({ scopes: ['lib'] }, { spanId: ACME.spanId })).toBe('control');
    expect(typed({ events: ['acme.said'] }, { spanId: ACME.spanId, events: [{ name: 'acme.said' }] })).toBe('control');
    expect(typed({ attributes: ['acme.st', 'acme'], scopes: ['li'], events: ['acme.'] }, ACME)).toBe('workflow');
    expect(typed({ attributes: ['acme.'] }, { spanId: ACME.spanId, attributes: { 'acmes.step': 'x' } })).toBe('workflow');
  });

  it('goes before or behind the conventions by its rank, and behind what is addressed to the service', () => {
    const span = { ...ACME, attributes: { ...ACME.attributes, 'gen_ai.request.model': 'm-2', 'gen_ai.operation.name': 'chat' } };
    const modelBy = (rank: number) => mapped(span, dialect('acme', { sources: { model: [textAt(rank, 'acme.model')] } }));
    expect(modelBy(RANK.beforeConventions).attributes.model).toBe('m-1');
    expect(modelBy(RANK.afterConventions).attributes.model).toBe('m-2');
    const sources = { type: [source(RANK.beforeConventions, () => 'tool' as const)] };
    const own = { ...ACME, attributes: { ...ACME.attributes, 'eval.span.type': 'agent' } };
    expect(mapped(own, dialect('acme', { sources })).type).toBe('agent');
  });

  it('of equal ranks stands behind what is built in, and in the order of the list', () => {
    const model = (id: string, rank: number) => dialect(id, { sources: { model: [source(rank, () => id)] } });
    const span = { ...ACME, attributes: { ...ACME.attributes, 'gen_ai.request.model': 'm-2', 'gen_ai.operation.name': 'chat' } };
    const modelIn = (...plugins: OtelDialectPlugin[]) => mapped(span, ...plugins).attributes.model;
    expect(modelIn(model('second', 0.5), model('first', 0.5))).toBe('second');
    expect(modelIn(model('same', 3))).toBe('m-2');
  });

  it('says which attributes are metadata of users, and which are never kept', () => {
    const plugin = dialect('acme', {
      metadata_prefixes: ['acme.tag.'],
      metadata_objects: ['acme.more'],
      secret_prefixes: ['acme.key'],
    });
    const attributes = { 'acme.tag.city': 'Rome', 'acme.more': '{"plan":"pro"}', 'acme.key.a': 'sk-1', 'acme.x': 'kept' };
    const { user_metadata } = mapped({ ...ACME, attributes }, plugin);
    expect(user_metadata).toMatchObject({ city: 'Rome', plan: 'pro', 'acme.x': 'kept' });
    expect(JSON.stringify(user_metadata)).not.toContain('sk-1');
  });
});

const WRONG: readonly [what: string, says: string, sources: Record<string, unknown>][] = [
  ['throws', 'threw TypeError', { model: (reader: SpanReader) => (reader.peek('none') as string).length }],
  [
    'throws what is no error',
    'threw what is no Error',
    {
      model: () => {
        throw 'sent-by-users';
      },
    },
  ],
  ['gives a promise', 'is a promise: dialects are synchronous', { model: async () => 'm' }],
  ['gives a number for a string', 'is not a string', { model: () => 5 }],
  ['gives null', 'is not a string', { model: () => null }],
  ['gives NaN tokens', 'is not a whole number', { num_input_tokens: () => Number.NaN }],
  ['gives negative tokens', 'is below zero', { num_input_tokens: () => -1 }],
  ['gives tokens as a string', 'is not a whole number', { num_input_tokens: () => '5' }],
  ['gives an unknown type', 'is not a type of span', { type: () => 'llms' }],
  ['gives messages without roles', '[].role: is not a string', { input_messages: () => [{ content: 'Hi' }] }],
  [
    'gives messages with fields of its own',
    '[]: is not a message',
    { input_messages: () => [{ role: 'user', content: 'Hi', at: 5 }] },
  ],
  ['gives values that are not JSON', '[]: is not JSON', { tools: () => [{ call: () => 5 }] }],
  [
    'writes to the attributes of a value',
    'threw TypeError',
    {
      tags: (reader: SpanReader) => {
        (reader.value('acme.list') as string[]).push('b');
      },
    },
  ],
  [
    'deletes attributes of an event',
    'threw TypeError',
    { model: (reader: SpanReader) => void (reader.events('acme.said')[0]!.attributes as Map<string, unknown>).delete('x') },
  ],
];

describe('a dialect with a mistake', () => {
  it.each(WRONG)('that %s is reported, and the span keeps all that was sent', (_what, says, wrong) => {
    const sources = Object.fromEntries(
      Object.entries(wrong).map(([field, read]) => [
        field,
        [
          source(1, (reader) => {
            reader.value('acme.model');
            return (read as (reader: SpanReader) => never)(reader);
          }),
        ],
      ]),
    );
    const span = {
      ...ACME,
      attributes: { ...ACME.attributes, 'gen_ai.operation.name': 'chat' },
      events: [{ name: 'acme.said', attributes: { x: 'said' } }],
    };
    const { faults, type, user_metadata } = mapped(span, dialect('acme', { sources }));
    expect(faults).toMatchObject([{ dialect: 'acme', field: Object.keys(wrong)[0], what: says }]);
    expect(type).toBe('llm');
    expect(user_metadata).toMatchObject({ 'acme.model': 'm-1', 'acme.step': 'call', 'acme.list': '["a"]' });
    expect(user_metadata['otel.events']).toContain('said');
    expect(JSON.stringify(faults)).not.toContain('sent-by-users');
  });

  it('is logged by its name, once for each cause', () => {
    const lines: unknown[] = [];
    const keep = (message: string, fields?: object) => void lines.push({ message, ...fields });
    const report = toFaultLog({ info: keep, warn: keep, error: keep });
    for (let times = 0; times < 3; times += 1)
      for (const field of ['model', 'cost']) report({ dialect: 'acme', field, rank: 1, what: 'threw Error', stack: '    at x' });
    expect(lines).toEqual(
      ['model', 'cost'].map((field) => ({
        message: 'an OpenTelemetry dialect failed on a span, which is kept without that field of it',
        ...{ plugin: 'acme', field, rank: 1, fault: 'threw Error', stack: '    at x' },
      })),
    );
  });
});

it('makes no more plans than it keeps room for, and reads by those beyond as well', () => {
  const many = Array.from({ length: 10 }, (_, at) =>
    dialect(`d${at}`, { recognizes: { attributes: [`d${at}.`] }, sources: { tags: [source(1, () => [`d${at}`])] } }),
  );
  const dialects = new Dialects(many, () => {});
  for (let set = 0; set < 2 ** many.length; set += 1) {
    const names = many.flatMap(({ id }, at) => ((set >> at) & 1 ? [id] : []));
    const attributes = Object.fromEntries(names.map((id) => [`${id}.x`, 1]));
    const { tags } = mapSpan(expandSpan({ spanId: ACME.spanId, attributes }), '', RESOURCE, { ...MAPPING, dialects });
    if (tags.join() !== names.join()) throw new Error(`${names.join()} were read as ${tags.join()}`);
  }
});

it('runs in the context of the dialects that recognise a span, and in none where no dialect does', () => {
  const scopes: (readonly string[])[] = [];
  const plugins = [dialect('acme', {}), dialect('other', { recognizes: { attributes: ['acme.model'] } })];
  const dialects = new Dialects(
    plugins,
    () => {},
    (ids, work) => {
      scopes.push(ids);
      return work();
    },
  );
  for (const name of ['acme.step', 'acme.model', 'http.route'])
    mapSpan(expandSpan({ ...ACME, attributes: { [name]: 'x' } }), '', RESOURCE, { ...MAPPING, dialects });
  expect(scopes).toEqual([['acme'], ['acme', 'other']]);
});

it('has no field of a span without a schema', () => {
  const fields: readonly Field[] = [...ALL.keys()];
  expect(fields.length).toBeGreaterThan(35);
});
