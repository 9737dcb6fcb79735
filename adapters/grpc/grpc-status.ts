import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { Metadata } from '@grpc/grpc-js';
import { AppError } from '../../core/kernel/errors.ts';
import { toOtlpFailure } from '../../core/otel/otlp-failure.ts';

export interface GrpcStatus {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

const DETAILS = 'grpc-status-details-bin';
const RETRY_SECONDS = 1;
const { LengthDelimited, Varint } = WireType;

/**
 * How a call ends that failed. Senders come again after `RESOURCE_EXHAUSTED` only where `google.rpc.RetryInfo` says when, which is the `Retry-After`
 * of HTTP: OTLP specification, "OTLP/gRPC Throttling". Anything but an AppError is a bug, which is not told.
 */
export function toGrpcStatus(error: unknown): GrpcStatus {
  const { code, http } = toOtlpFailure(error);
  const known = error instanceof AppError ? error : undefined;
  const details = known?.message ?? 'internal error';
  const seconds = known?.retryAfterSeconds ?? (http === 503 || http === 429 ? RETRY_SECONDS : undefined);
  const metadata = new Metadata();
  if (seconds !== undefined) metadata.set(DETAILS, Buffer.from(statusWithRetry(code, details, seconds)));
  return { code, details, metadata };
}

/** `google.rpc.Status` with a `google.rpc.RetryInfo`: https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto */
function statusWithRetry(code: number, message: string, seconds: number): Uint8Array {
  const status = new BinaryWriter().tag(1, Varint).int32(code).tag(2, LengthDelimited).string(message);
  status.tag(3, LengthDelimited).fork().tag(1, LengthDelimited).string('type.googleapis.com/google.rpc.RetryInfo');
  status.tag(2, LengthDelimited).fork().tag(1, LengthDelimited).fork().tag(1, Varint).int64(Math.ceil(seconds)).join().join();
  return status.join().finish();
}
