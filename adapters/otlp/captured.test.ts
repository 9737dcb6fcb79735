import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../core/kernel/slices.ts';
import { destinations } from '../../core/otel/destination.ts';
import { mapRequest } from '../../core/otel/spans/map-request.ts';
import { summarizeTrace } from '../../core/otel/trace-summary.ts';
import { MAPPING } from '../../test/fixtures/otel/short-form.ts';
import { WireOtlpCodec } from './wire-otlp-codec.ts';

interface Capture {
  readonly about: string;
  readonly sent_by: readonly string[];
  /** The exporter's request, without what belongs to its machine. */
  readonly request: object;
  /** The request of the protobuf exporter at the same time. */
  readonly protobuf?: string;
  readonly records: readonly object[];
  readonly trace: object;
}

const codec = new WireOtlpCodec();
const map = (body: Uint8Array, encoding: 'json' | 'protobuf') =>
  mapRequest(runAtOnce(codec.decode(body, encoding)), destinations({}, ['eval.']), MAPPING);

const captures = globSync('test/fixtures/otel/captured/*.json');

describe.each(captures)('%s', (path) => {
  const capture = JSON.parse(readFileSync(path, 'utf8')) as Capture;
  const mapped = map(Buffer.from(JSON.stringify(capture.request)), 'json');

  it(capture.about, () => {
    expect(mapped.refused).toEqual([]);
    expect(mapped.groups).toHaveLength(1);
    expect(mapped.groups[0]!.spans.map(({ of_trace, cut_texts, ...record }) => record)).toEqual(capture.records);
    expect(summarizeTrace(mapped.groups[0]!.spans)).toMatchObject(capture.trace);
  });

  const { protobuf } = capture;
  if (protobuf === undefined) return;
  it('says the same in protobuf', () => {
    const { groups } = map(Buffer.from(protobuf, 'base64'), 'protobuf');
    expect(groups.map(({ spans }) => spans)).toEqual(mapped.groups.map(({ spans }) => spans));
  });
});

it('finds the captures, one of them in both encodings', () => {
  expect(captures.length).toBeGreaterThan(4);
  expect(captures.filter((path) => readFileSync(path, 'utf8').includes('"protobuf"')).length).toBeGreaterThan(0);
});
