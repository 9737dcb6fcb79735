import type { Steps } from '../../core/kernel/slices.ts';
import type { OtlpLogRequest } from '../../core/otel/logs/otlp-log.ts';
import type { OtlpMetricRequest } from '../../core/otel/metrics/otlp-metric.ts';
import {
  OTLP_LIMITS,
  type OtlpCodec,
  type OtlpEncoding,
  type OtlpLimits,
  type OtlpOutcome,
  type OtlpSignal,
  type OtlpStatus,
} from '../../core/otel/otlp-codec.ts';
import type { OtlpRequest } from '../../core/otel/spans/otlp-span.ts';
import { readJsonMetrics } from './json-metrics.ts';
import { readJsonLogs, readJsonSpans } from './json-request.ts';
import { readProtobufMetrics } from './protobuf-metrics.ts';
import { readProtobufLogs, readProtobufSpans } from './protobuf-request.ts';
import { outcomeBody, statusBody } from './replies.ts';
import { RequestBudget } from './request-budget.ts';

/** OTLP as it is on the wire: protobuf, or its JSON form. */
export class WireOtlpCodec implements OtlpCodec {
  readonly #limits: OtlpLimits;

  constructor(limits: OtlpLimits = OTLP_LIMITS) {
    this.#limits = limits;
  }

  decode(body: Uint8Array, encoding: OtlpEncoding): Steps<OtlpRequest> {
    const budget = new RequestBudget(this.#limits);
    return encoding === 'json' ? readJsonSpans(body, budget) : readProtobufSpans(body, budget);
  }

  decodeLogs(body: Uint8Array, encoding: OtlpEncoding): Steps<OtlpLogRequest> {
    const budget = new RequestBudget(this.#limits, 'log records');
    return encoding === 'json' ? readJsonLogs(body, budget) : readProtobufLogs(body, budget);
  }

  decodeMetrics(body: Uint8Array, encoding: OtlpEncoding): Steps<OtlpMetricRequest> {
    const budget = new RequestBudget(this.#limits, 'data points');
    return encoding === 'json' ? readJsonMetrics(body, budget) : readProtobufMetrics(body, budget);
  }

  encodeOutcome(outcome: OtlpOutcome, encoding: OtlpEncoding, signal: OtlpSignal = 'traces'): Uint8Array {
    return outcomeBody(outcome, encoding, signal);
  }

  encodeStatus(status: OtlpStatus, encoding: OtlpEncoding): Uint8Array {
    return statusBody(status, encoding);
  }
}
