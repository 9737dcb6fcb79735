import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { OtlpEncoding, OtlpOutcome, OtlpStatus } from '../../core/otel/otlp-codec.ts';
import { cut } from '../../core/otel/storable.ts';

/** Far below what a reply may be, and more than anybody reads. */
const MAX_MESSAGE = 16_384;

/** The body of an ExportTraceServiceResponse. A success that needs no words is an empty message. */
export function outcomeBody({ rejected_spans, message }: OtlpOutcome, encoding: OtlpEncoding): Uint8Array {
  const errorMessage = cut(message, MAX_MESSAGE);
  const isSilent = rejected_spans === 0 && message === '';
  if (encoding === 'json')
    return jsonBody(isSilent ? {} : { partialSuccess: { rejectedSpans: String(rejected_spans), errorMessage } });
  if (isSilent) return new Uint8Array();
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).fork();
  if (rejected_spans > 0) writer.tag(1, WireType.Varint).int64(rejected_spans);
  writer.tag(2, WireType.LengthDelimited).string(errorMessage);
  return writer.join().finish();
}

/** The body of a google.rpc.Status. */
export function statusBody({ code, message }: OtlpStatus, encoding: OtlpEncoding): Uint8Array {
  const told = cut(message, MAX_MESSAGE);
  if (encoding === 'json') return jsonBody({ code, message: told });
  return new BinaryWriter().tag(1, WireType.Varint).int32(code).tag(2, WireType.LengthDelimited).string(told).finish();
}

const jsonBody = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
