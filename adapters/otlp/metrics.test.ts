import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../core/kernel/slices.ts';
import { MAX_BUCKETS } from '../../core/otel/metrics/histogram.ts';
import type { OtlpEncoding } from '../../core/otel/otlp-codec.ts';
import { WireOtlpCodec } from './wire-otlp-codec.ts';

type Write = (writer: BinaryWriter) => BinaryWriter;
const LENGTH_DELIMITED = 2;
const BIT64 = 1;
const nested = (number: number, ...writes: readonly Write[]): Write => {
  return (writer) => {
    const inner = writes.reduce((all, write) => write(all), new BinaryWriter()).finish();
    return writer.tag(number, LENGTH_DELIMITED).bytes(inner);
  };
};
const text =
  (number: number, value: string): Write =>
  (writer) =>
    writer.tag(number, LENGTH_DELIMITED).string(value);
const fixed64 =
  (number: number, value: bigint): Write =>
  (writer) =>
    writer.tag(number, BIT64).fixed64(value);
const double =
  (number: number, value: number): Write =>
  (writer) =>
    writer.tag(number, BIT64).double(value);
const varint =
  (number: number, value: number): Write =>
  (writer) =>
    writer.tag(number, 0).int32(value);
const zigzag =
  (number: number, value: number): Write =>
  (writer) =>
    writer.tag(number, 0).sint32(value);
const packed = (number: number, write: (writer: BinaryWriter) => unknown): Write => {
  return (writer) => {
    const inner = new BinaryWriter();
    write(inner);
    return writer.tag(number, LENGTH_DELIMITED).bytes(inner.finish());
  };
};
const attribute = (number: number): Write => nested(number, text(1, 'gen_ai.request.model'), nested(2, text(1, 'small')));
const times = [fixed64(2, 1_000n), fixed64(3, 2_000n)];
const metric = (name: string, unit: string, data: Write): Write => nested(2, text(1, name), text(3, unit), data);

const HISTOGRAM = nested(
  9,
  nested(
    ...([1, attribute(9), ...times, fixed64(4, 3n), double(5, 12.5)] as [number, ...Write[]]),
    packed(6, (writer) => [1n, 0n, 2n].map((count) => writer.fixed64(count))),
    packed(7, (writer) => [5, 10].map((bound) => writer.double(bound))),
    double(11, 0.5),
    double(12, 11),
  ),
  varint(2, 2),
);
const EXPONENTIAL = nested(
  10,
  nested(
    ...([1, attribute(1), ...times, fixed64(4, 4n), double(5, -1.5), zigzag(6, -2), fixed64(7, 1n)] as [number, ...Write[]]),
    nested(
      8,
      zigzag(1, -3),
      packed(2, (writer) => [1n, 1n].map((count) => writer.uint64(count))),
    ),
    nested(
      9,
      zigzag(1, 2),
      packed(2, (writer) => writer.uint64(1n)),
    ),
    double(12, -9),
    double(13, 3),
  ),
  varint(2, 1),
);
const SUM = nested(
  7,
  nested(1, attribute(7), ...times, (writer) => writer.tag(6, BIT64).sfixed64(-7n)),
  nested(1, double(4, 2.5), varint(8, 1)),
  varint(2, 2),
  (writer) => writer.tag(3, 0).bool(true),
);
const PROTOBUF = nested(
  1,
  nested(1, nested(1, text(1, 'service.name'), nested(2, text(1, 'shop')))),
  nested(
    2,
    nested(1, text(1, 'lib'), text(2, '1.0')),
    metric('gen_ai.a', 's', HISTOGRAM),
    metric('gen_ai.b', '', EXPONENTIAL),
    metric('gen_ai.c', '1', SUM),
    metric('http.requests', '1', SUM),
  ),
);
const attributes = [{ key: 'gen_ai.request.model', value: { stringValue: 'small' } }];
const time = { startTimeUnixNano: '1000', timeUnixNano: '2000' };
const sum = {
  aggregationTemporality: 'AGGREGATION_TEMPORALITY_CUMULATIVE',
  isMonotonic: true,
  dataPoints: [
    { attributes, ...time, asInt: '-7' },
    { asDouble: 2.5, flags: 1 },
  ],
};
const JSON_BODY = {
  resourceMetrics: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
      scopeMetrics: [
        {
          scope: { name: 'lib', version: '1.0' },
          metrics: [
            {
              ...{ name: 'gen_ai.a', unit: 's' },
              histogram: {
                aggregationTemporality: 2,
                dataPoints: [
                  {
                    attributes,
                    ...time,
                    count: '3',
                    sum: 12.5,
                    min: 0.5,
                    max: 11,
                    bucketCounts: ['1', 0, '2'],
                    explicitBounds: [5, 10],
                  },
                ],
              },
            },
            {
              name: 'gen_ai.b',
              exponentialHistogram: {
                aggregationTemporality: 1,
                dataPoints: [
                  {
                    ...{ attributes, ...time, count: 4, sum: -1.5, min: -9, max: 3, scale: -2, zeroCount: '1' },
                    positive: { offset: -3, bucketCounts: ['1', '1'] },
                    negative: { offset: 2, bucketCounts: [1] },
                  },
                ],
              },
            },
            { name: 'gen_ai.c', unit: '1', sum },
            { name: 'http.requests', unit: '1', sum },
          ],
        },
      ],
    },
  ],
};

const decode = (body: Uint8Array, encoding: OtlpEncoding) => runAtOnce(new WireOtlpCodec().decodeMetrics(body, encoding));
const ofJson = (body: object) => decode(new TextEncoder().encode(JSON.stringify(body)), 'json');
const ofProtobuf = (write: Write) => decode(write(new BinaryWriter()).finish(), 'protobuf');

describe('metrics', () => {
  it('are the same from either encoding, those that are kept with their points', () => {
    const [json, protobuf] = [ofJson(JSON_BODY), ofProtobuf(PROTOBUF)];
    expect(protobuf).toEqual(json);
    const [resource] = json.resource_metrics;
    expect(Object.fromEntries(resource!.resource)).toEqual({ 'service.name': 'shop' });
    const [a, b, c, http] = resource!.scope_metrics[0]!.metrics;
    expect(a).toMatchObject({ kind: 'histogram', temporality: 2, unit: 's', num_points: 1 });
    expect(a!.points[0]!.value).toEqual({
      count: 3,
      sum: 12.5,
      min: 0.5,
      max: 11,
      buckets: { bounds: [5, 10], counts: [1, 0, 2] },
    });
    expect(b!.points[0]!.value).toMatchObject({
      sum: -1.5,
      buckets: { scale: -2, zero_count: 1, negative: { offset: 2, counts: [1] } },
    });
    expect(c).toMatchObject({ kind: 'sum', is_monotonic: true, points: [{ value: -7 }, { value: 2.5, is_missing: true }] });
    expect(http).toMatchObject({ num_points: 2, points: [] });
  });

  it('keep no more of a list than is needed to refuse it', () => {
    const counts = new Array(100_000).fill(1);
    const { resource_metrics } = ofProtobuf(
      nested(
        1,
        nested(
          2,
          metric(
            'gen_ai.a',
            '',
            nested(
              9,
              nested(
                1,
                packed(6, (writer) => counts.map(() => writer.fixed64(1n))),
              ),
            ),
          ),
        ),
      ),
    );
    const { value } = resource_metrics[0]!.scope_metrics[0]!.metrics[0]!.points[0]!;
    expect(value).toMatchObject({ buckets: { counts: { length: MAX_BUCKETS + 1 } } });
  });

  it('are refused as a whole where a list is longer than what it is in', () => {
    const point: Write = (writer) => writer.tag(6, LENGTH_DELIMITED).uint32(1_000);
    expect(() => ofProtobuf(nested(1, nested(2, metric('gen_ai.a', '', nested(9, nested(1, point))))))).toThrow(
      'longer than the message',
    );
    const torn = packed(6, (writer) => writer.uint32(1));
    expect(() => ofProtobuf(nested(1, nested(2, metric('gen_ai.a', '', nested(9, nested(1, torn))))))).toThrow();
  });
});
