import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { OtlpEncoding, OtlpOutcome, OtlpSignal, OtlpStatus } from '../../core/otel/otlp-codec.ts';
import { cut } from '../../core/otel/storable.ts';

/** Far below what a reply may be, and more than anybody reads. */
const MAX_MESSAGE = 16_384;

/** How the count of what was refused is called in JSON; its number in protobuf is always the same. */
const REJECTED: Readonly<Record<OtlpSignal, string>> = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
};

/** The body of an Export…ServiceResponse. A success that needs no words is an empty message. */
export function outcomeBody({ rejected, message }: OtlpOutcome, encoding: OtlpEncoding, signal: OtlpSignal): Uint8Array {
  const errorMessage = cut(message, MAX_MESSAGE);
  const isSilent = rejected === 0 && message === '';
  if (encoding === 'json')
    return jsonBody(isSilent ? {} : { partialSuccess: { [REJECTED[signal]]: String(rejected), errorMessage } });
  if (isSilent) return new Uint8Array();
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).fork();
  if (rejected > 0) writer.tag(1, WireType.Varint).int64(rejected);
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
