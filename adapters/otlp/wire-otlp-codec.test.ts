import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../core/kernel/errors.ts';
import { runAtOnce } from '../../core/kernel/slices.ts';
import { getOtlpEncoding, OTLP_LIMITS, type OtlpEncoding } from '../../core/otel/otlp-codec.ts';
import type { OtlpRequest, OtlpSpan } from '../../core/otel/spans/otlp-span.ts';
import { WireOtlpCodec } from './wire-otlp-codec.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const codec = new WireOtlpCodec();
const bytes = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

/** A message of one field, or of several, as bytes. */
const field = (number: number, write: (writer: BinaryWriter) => BinaryWriter, wire = WireType.LengthDelimited): Uint8Array =>
  write(new BinaryWriter().tag(number, wire)).finish();
const nested = (number: number, ...parts: Uint8Array[]): Uint8Array =>
  field(number, (writer) => writer.bytes(Buffer.concat(parts)));
const text = (number: number, value: string): Uint8Array => field(number, (writer) => writer.string(value));
const inRequest = (...span: Uint8Array[]): Uint8Array => nested(1, nested(2, nested(2, ...span)));
const attribute = (key: string, ...value: Uint8Array[]): Uint8Array => nested(9, text(1, key), nested(2, ...value));

const decode = (body: Uint8Array, encoding: OtlpEncoding, codecUsed = codec): OtlpRequest =>
  runAtOnce(codecUsed.decode(body, encoding));
const toSpans = (request: OtlpRequest): OtlpSpan[] =>
  request.resource_spans.flatMap(({ scope_spans }) => scope_spans.flatMap(({ spans }) => spans));
const fromJson = (span: object, codecUsed = codec): OtlpSpan =>
  toSpans(decode(bytes({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }), 'json', codecUsed))[0]!;
const fromProtobuf = (...span: Uint8Array[]): OtlpSpan => toSpans(decode(inRequest(...span), 'protobuf'))[0]!;
const decoded = (value: object) => fromJson({ attributes: [{ key: 'k', value }] }).attributes.get('k');

function refusal(body: Uint8Array, encoding: OtlpEncoding, codecUsed = codec): { kind: string; message: string } {
  try {
    decode(body, encoding, codecUsed);
  } catch (error) {
    if (error instanceof AppError) return { kind: error.kind, message: error.message };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('both encodings', () => {
  const events = [{ timeUnixNano: '7', name: 'e', attributes: [{ key: 'a', value: { boolValue: true } }] }];
  const links = [{ traceId: TRACE, spanId: SPAN, attributes: [{ key: 'b', value: { bytesValue: 'AQI=' } }] }];
  const json = fromJson({
    traceId: TRACE.toUpperCase(),
    spanId: SPAN,
    parentSpanId: SPAN,
    name: 'n',
    kind: 3,
    startTimeUnixNano: '1767225600000000001',
    endTimeUnixNano: 1767225600000000,
    attributes: [
      { key: 's', value: { stringValue: 'x' } },
      { key: 'i', value: { intValue: '-7' } },
      { key: 'long', value: { intValue: '9223372036854775807' } },
      { key: 'd', value: { doubleValue: 0.5 } },
      { key: 'list', value: { arrayValue: { values: [{ stringValue: 'y' }, {}] } } },
      { key: 'map', value: { kvlistValue: { values: [{ key: '__proto__', value: { intValue: 1 } }] } } },
      { key: 'none', value: {} },
      { key: 's', value: { stringValue: 'last' } },
    ],
    events,
    links,
    status: { code: 2, message: 'm' },
    flags: 769,
    droppedAttributesCount: 2,
    droppedEventsCount: 3,
    droppedLinksCount: 4,
  });

  it('come out as the same span', () => {
    const hex = (id: string) => Buffer.from(id, 'hex');
    const raw = (number: number, id: string) => field(number, (writer) => writer.bytes(hex(id)));
    const fixed = (number: number, value: bigint) => field(number, (writer) => writer.fixed64(value), WireType.Bit64);
    const int = (number: number, value: number) => field(number, (writer) => writer.int64(value), WireType.Varint);
    const span = fromProtobuf(
      raw(1, TRACE),
      raw(2, SPAN),
      raw(4, SPAN),
      text(5, 'n'),
      int(6, 3),
      fixed(7, 1_767_225_600_000_000_001n),
      fixed(8, 1_767_225_600_000_000n),
      attribute('s', text(1, 'x')),
      attribute('i', int(3, -7)),
      attribute(
        'long',
        field(3, (writer) => writer.int64(9_223_372_036_854_775_807n), WireType.Varint),
      ),
      attribute(
        'd',
        field(4, (writer) => writer.double(0.5), WireType.Bit64),
      ),
      attribute('list', nested(5, nested(1, text(1, 'y')), nested(1))),
      attribute('map', nested(6, nested(1, text(1, '__proto__'), nested(2, int(3, 1))))),
      attribute('none'),
      attribute('s', text(1, 'last')),
      int(10, 2),
      nested(11, fixed(1, 7n), text(2, 'e'), nested(3, text(1, 'a'), nested(2, int(2, 1)))),
      int(12, 3),
      nested(
        13,
        raw(1, TRACE),
        raw(2, SPAN),
        nested(
          4,
          text(1, 'b'),
          nested(
            2,
            field(7, (writer) => writer.bytes(new Uint8Array([1, 2]))),
          ),
        ),
      ),
      int(14, 4),
      nested(15, text(2, 'm'), int(3, 2)),
      field(16, (writer) => writer.fixed32(769), WireType.Bit32),
      text(99, 'unknown'),
    );
    expect(span).toEqual(json);
  });

  it('keep what cannot be said in JSON or a double as text', () => {
    expect(['long', 's', 'none'].map((key) => json.attributes.get(key))).toEqual(['9223372036854775807', 'last', null]);
    expect(Object.entries(json.attributes.get('map')!)).toEqual([['__proto__', 1]]);
    expect([decoded({ doubleValue: 'NaN' }), decoded({ doubleValue: '-Infinity' })]).toEqual(['NaN', '-Infinity']);
    const double = attribute(
      'k',
      field(4, (writer) => writer.double(Number.NaN), WireType.Bit64),
    );
    expect(fromProtobuf(double).attributes.get('k')).toBe('NaN');
  });

  it('may be empty', () => {
    for (const body of ['{}', '{"resourceSpans":null}', '{"resourceSpans":[{}]}'])
      expect(toSpans(decode(bytes(body), 'json'))).toEqual([]);
    expect(decode(new Uint8Array(), 'protobuf')).toEqual({ resource_spans: [] });
  });
});

describe('the JSON form', () => {
  it('takes 64-bit numbers without quotes to the last digit', () => {
    const body = '{"resourceSpans":[{"scopeSpans":[{"spans":[{"startTimeUnixNano":1767225600123456789}]}]}]}';
    expect(toSpans(decode(bytes(body), 'json'))[0]!.start_unix_nano).toBe(1_767_225_600_123_456_789n);
  });

  it('takes the names of kinds and codes, and ids in base64', () => {
    expect(fromJson({ kind: 'SPAN_KIND_CLIENT', status: { code: 'STATUS_CODE_ERROR' } })).toMatchObject({
      kind: 3,
      status: { code: 2 },
    });
    const base64 = (id: string) => Buffer.from(id, 'hex').toString('base64');
    expect(fromJson({ traceId: base64(TRACE), spanId: base64(SPAN) })).toMatchObject({ trace_id: TRACE, span_id: SPAN });
  });

  it('knows no other names of fields', () => {
    expect(fromJson({ trace_id: TRACE, start_time_unix_nano: '5', colour: 'red' })).toMatchObject({
      trace_id: '',
      start_unix_nano: 0n,
    });
  });

  it.each([
    ['', 'the body is not JSON'],
    ['{"resourceSpans":[', 'the body is not JSON'],
    ['[]', 'the body is not an object'],
    ['{"resourceSpans":{}}', 'resourceSpans is not an array'],
    ['{"resourceSpans":[1]}', 'resourceSpans is not an object'],
  ])('refuses %s', (body, message) => {
    expect(refusal(bytes(body), 'json')).toEqual({ kind: 'invalid', message });
  });

  it.each([
    ['{"traceId":7}', 'traceId is not a string'],
    ['{"endTimeUnixNano":"soon"}', 'endTimeUnixNano is not a whole number'],
    ['{"startTimeUnixNano":"-1"}', 'startTimeUnixNano is out of range'],
  ])('leaves out the span %s, names it, and reads those around it', (span, message) => {
    const body = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"a"},${span},{"name":"b"}]}]}]}`;
    const { resource_spans, malformed } = runAtOnce(new WireOtlpCodec().decode(bytes(body), 'json'));
    expect(resource_spans[0]!.scope_spans[0]!.spans.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(malformed).toEqual([message]);
  });
});

describe('hostile bodies', () => {
  it('of any bytes are decoded or refused', () => {
    const body = inRequest(text(5, 'n'), attribute('a', nested(5, nested(1, text(1, 'y')))));
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .tuple(fc.nat(body.length), fc.nat(255))
        .map(([at, byte]) => Buffer.concat([body.subarray(0, at), Buffer.of(byte), body.subarray(at + 1)])),
      fc.nat(body.length).map((length) => body.subarray(0, length)),
    );
    const decodes = (bytesSent: Uint8Array, encoding: OtlpEncoding) => {
      try {
        return decode(bytesSent, encoding).resource_spans.length >= 0;
      } catch (error) {
        return error instanceof AppError && error.kind === 'invalid';
      }
    };
    fc.assert(
      fc.property(anyBytes, (sent) => {
        expect([decodes(sent, 'protobuf'), decodes(sent, 'json')]).toEqual([true, true]);
      }),
      { numRuns: 2000 },
    );
  });

  it('are refused when a message is longer than the one around it', () => {
    const liar = Buffer.concat([Buffer.of(0x0a, 0x02, 0x12, 0x05), Buffer.alloc(5)]);
    expect(refusal(liar, 'protobuf')).toEqual({ kind: 'invalid', message: 'a message is longer than the one it is in' });
    expect(refusal(Buffer.of(0x0a, 0x7f), 'protobuf').kind).toBe('invalid');
  });

  it('lose what is nested too deeply, and nothing else', () => {
    const deepJson = (levels: number): object =>
      levels === 0 ? { stringValue: 'x' } : { arrayValue: { values: [deepJson(levels - 1)] } };
    const computeDepth = (value: unknown): number => (Array.isArray(value) ? 1 + computeDepth(value[0]) : 0);
    expect([computeDepth(decoded(deepJson(32))), computeDepth(decoded(deepJson(40)))]).toEqual([32, 32]);
    let value = text(1, 'x');
    for (let level = 0; level < 5_000; level += 1) value = nested(5, nested(1, value));
    const span = fromProtobuf(attribute('deep', value), attribute('flat', text(1, 'y')));
    expect([computeDepth(span.attributes.get('deep')), span.attributes.get('flat')]).toEqual([32, 'y']);
  });

  it('of JSON nested out of all proportion are refused before they are parsed', () => {
    const body = `{"resourceSpans":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`;
    expect(refusal(bytes(body), 'json')).toEqual({ kind: 'invalid', message: 'the body nests deeper than 500 levels' });
    expect(toSpans(decode(bytes({ resourceSpans: [], note: '[[[\\"{{'.repeat(1000) }), 'json'))).toEqual([]);
  });

  it('of empty messages are refused by their number, not by what they cost', () => {
    const small = new WireOtlpCodec({ ...OTLP_LIMITS, maxValues: 1000 });
    expect(refusal(Buffer.from('0a00'.repeat(2000), 'hex'), 'protobuf', small).kind).toBe('too_large');
    expect(
      refusal(
        nested(1, nested(2, nested(2, attribute('a', nested(5, Buffer.from('0a00'.repeat(2000), 'hex')))))),
        'protobuf',
        small,
      ).kind,
    ).toBe('too_large');
    expect(refusal(bytes({ resourceSpans: Array.from({ length: 2000 }, () => ({})) }), 'json', small).kind).toBe('too_large');
  });

  it('with too many spans are refused', () => {
    const small = new WireOtlpCodec({ ...OTLP_LIMITS, maxSpans: 2 });
    const three = Array.from({ length: 3 }, () => ({}));
    const expected = { kind: 'too_large', message: 'more than 2 spans' };
    expect(refusal(bytes({ resourceSpans: [{ scopeSpans: [{ spans: three }] }] }), 'json', small)).toEqual(expected);
    expect(refusal(nested(1, nested(2, nested(2), nested(2), nested(2))), 'protobuf', small)).toEqual(expected);
  });

  it('lose the attributes, events and links beyond what a span may have, and it is told how many', () => {
    const small = new WireOtlpCodec({ ...OTLP_LIMITS, maxAttributes: 2, maxEvents: 1, maxLinks: 1 });
    const pairs = ['a', 'b', 'c'].map((key) => ({ key, value: { stringValue: key } }));
    const json = fromJson({ attributes: pairs, events: [{}, {}, {}], links: [{}, {}], droppedEventsCount: 5 }, small);
    const sent = inRequest(
      ...['a', 'b', 'c'].map((key) => attribute(key, text(1, key))),
      nested(11),
      nested(11),
      nested(11),
      nested(13),
      nested(13),
      field(12, (writer) => writer.uint32(5), WireType.Varint),
    );
    const [protobuf] = toSpans(decode(sent, 'protobuf', small));
    expect(json).toMatchObject({ dropped: { attributes: 1, events: 7, links: 1 }, events: [{}], links: [{}] });
    expect([...json.attributes.keys()]).toEqual(['a', 'b']);
    expect(protobuf).toEqual(json);
  });
});

describe('large bodies', () => {
  const value = { stringValue: 'x' };
  const manySpans = Array.from({ length: 3_000 }, (_, at) => ({ name: `n ${at}`, attributes: [{ key: 'k', value }] }));
  const countSteps = (body: Uint8Array, encoding: OtlpEncoding): number => {
    const steps = codec.decode(body, encoding);
    let count = 0;
    while (!steps.next().done) count += 1;
    return count;
  };

  it('are decoded in steps, of which none takes long', () => {
    const long = 'x'.repeat(3_000_000);
    const inJson = (span: object) => bytes({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    const list = Array.from({ length: 60_000 }, () => ({ intValue: 1 }));
    const bodies = [
      bytes({ resourceSpans: [{ scopeSpans: [{ spans: [...manySpans, ...manySpans, ...manySpans] }] }] }),
      inJson({ attributes: [{ key: 'k', value: { stringValue: long } }] }),
      inJson({ attributes: [{ key: 'k', value: { arrayValue: { values: list } } }] }),
      inJson({ name: 'n', unknown: Array.from({ length: 600_000 }, () => 0) }),
      bytes({ unknown: Array.from({ length: 90_000 }, () => ({})) }),
      bytes({ resourceSpans: Array.from({ length: 30_000 }, () => ({})) }),
    ];
    for (const body of bodies) expect(countSteps(body, 'json')).toBeGreaterThan(0);
    expect(countSteps(bodies[0]!, 'json')).toBeGreaterThan(2);
    const spans = Buffer.concat(Array.from({ length: 3_000 }, () => nested(2, text(5, 'n'.repeat(150)))));
    expect(countSteps(nested(1, nested(2, spans)), 'protobuf')).toBeGreaterThan(2);
    expect(countSteps(Buffer.from('0a00'.repeat(200_000), 'hex'), 'protobuf')).toBeGreaterThan(2);
  });

  it('come out whole, however large one span is', () => {
    const keys = ['a', 'b', 'c'];
    const long = 'é\\"\n'.repeat(150_000);
    const span = { name: 'n', attributes: keys.map((key) => ({ key, value: { stringValue: key + long } })), status: { code: 1 } };
    const read = fromJson(span);
    expect(read).toMatchObject({ name: 'n', status: { code: 1 }, dropped: { attributes: 0 } });
    for (const key of keys) expect(read.attributes.get(key)).toBe(key + long);
  });

  it.each(['json', 'protobuf'] as const)('lose the attributes that are too much for one span, and no others: %s', (encoding) => {
    const small = new WireOtlpCodec({ ...OTLP_LIMITS, maxValuesPerSpan: 30, maxPartBytes: 1_000 });
    const list = (length: number) => ({ arrayValue: { values: Array.from({ length }, () => ({ intValue: '1' })) } });
    const attributes = [
      { key: 'first', value },
      { key: 'list', value: list(100) },
      { key: 'long', value: { stringValue: 'x'.repeat(2_000) } },
    ];
    const number = nested(
      1,
      field(3, (writer) => writer.int64(1), WireType.Varint),
    );
    const inProtobuf = inRequest(
      attribute('first', text(1, 'x')),
      attribute('long', text(1, 'x'.repeat(2_000))),
      attribute('list', nested(5, ...Array.from({ length: 100 }, () => number))),
      text(5, 'n'),
    );
    const inJson = bytes({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                { attributes, name: 'n' },
                { name: 'next', attributes },
              ],
            },
          ],
        },
      ],
    });
    const spans = toSpans(decode(encoding === 'json' ? inJson : inProtobuf, encoding, small));
    for (const { attributes: kept, dropped } of spans) {
      expect([...kept]).toEqual([['first', 'x']]);
      expect(dropped).toEqual({ attributes: 2, events: 0, links: 0 });
    }
    expect(spans.map(({ name }) => name)).toEqual(encoding === 'json' ? ['n', 'next'] : ['n']);
  });

  it('of one resource lose what is too much, and keep their spans', () => {
    const small = new WireOtlpCodec({ ...OTLP_LIMITS, maxValuesPerSpan: 30 });
    const many = Array.from({ length: 100 }, (_, at) => ({ key: `k ${at}`, value }));
    const body = bytes({ resourceSpans: [{ resource: { attributes: many }, scopeSpans: [{ spans: [{ name: 'n' }] }] }] });
    const { resource_spans } = decode(body, 'json', small);
    expect(resource_spans[0]!.resource.size).toBeGreaterThan(0);
    expect(resource_spans[0]!.resource.size).toBeLessThan(30);
    expect(resource_spans[0]!.scope_spans[0]!.spans).toMatchObject([{ name: 'n' }]);
  });

  it('are JSON to the decoder exactly when they are to the engine', () => {
    const body = `{ "resourceSpans" : [ {"resource":{"attributes":[{"key":"a","value":{"intValue":1}}]},"x":[1,-2.5e3,"\\"]",null],
      "scopeSpans":[{"scope":{"name":"s"},"spans":[{"name":"n\u00e9","flags":3},{"kind":1}]},null,{}]}, {} ], "y": {"z":[]}, "w":12}`;
    const isJson = (sent: string): boolean => {
      try {
        JSON.parse(sent);
        return true;
      } catch {
        return false;
      }
    };
    const refusalOf = (sent: string): string | undefined => {
      try {
        decode(bytes(sent), 'json');
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    const change = fc.tuple(fc.nat(body.length - 1), fc.nat(2), fc.constantFrom(...'{}[],:"\\ 0-en'));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        let sent = body;
        for (const [at, cutOut, put] of changes) sent = sent.slice(0, at) + put + sent.slice(at + cutOut);
        if (isJson(sent)) expect(refusalOf(sent)).not.toBe('the body is not JSON');
        else expect(refusalOf(sent)).toBeDefined();
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('replies', () => {
  const said = (body: Uint8Array) => Buffer.from(body).toString();
  const hex = (body: Uint8Array) => Buffer.from(body).toString('hex');

  it('say nothing about a success', () => {
    expect(said(codec.encodeOutcome({ rejected: 0, message: '' }, 'json'))).toBe('{}');
    expect(codec.encodeOutcome({ rejected: 0, message: '' }, 'protobuf')).toHaveLength(0);
  });

  it('tell how many spans were refused, and why', () => {
    const outcome = { rejected: 2, message: 'no' };
    expect(said(codec.encodeOutcome(outcome, 'json'))).toBe('{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}}');
    expect(hex(codec.encodeOutcome(outcome, 'protobuf'))).toBe('0a06080212026e6f');
    expect(hex(codec.encodeOutcome({ rejected: 0, message: 'no' }, 'protobuf'))).toBe('0a0412026e6f');
  });

  it('are a status for a failure', () => {
    expect(said(codec.encodeStatus({ code: 3, message: 'bad' }, 'json'))).toBe('{"code":3,"message":"bad"}');
    expect(hex(codec.encodeStatus({ code: 3, message: 'bad' }, 'protobuf'))).toBe('08031203626164');
  });

  it('stay short', () => {
    expect(codec.encodeStatus({ code: 3, message: 'x'.repeat(10_000_000) }, 'protobuf').length).toBeLessThan(20_000);
    expect(codec.encodeOutcome({ rejected: 1, message: 'x'.repeat(10_000_000) }, 'json').length).toBeLessThan(20_000);
  });
});

it('knows an encoding by its media type alone', () => {
  expect(getOtlpEncoding('application/json; charset=utf-8')).toBe('json');
  expect(getOtlpEncoding('Application/X-Protobuf')).toBe('protobuf');
  expect([getOtlpEncoding(undefined), getOtlpEncoding('text/json'), getOtlpEncoding('')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
