import { isSpanId, isTraceId } from '../otel-ids.ts';
import type { OtlpOutcome } from '../otlp-codec.ts';
import type { OtlpSpan } from './otlp-span.ts';

/** Why a span without usable ids cannot be kept; undefined when it can. A bad parent id is no reason: it is read as none. */
export function findIdRefusal(span: OtlpSpan): string | undefined {
  if (!isTraceId(span.trace_id)) return 'trace id must be 16 bytes and not zero';
  if (!isSpanId(span.span_id)) return 'span id must be 8 bytes and not zero';
  return undefined;
}

const MAX_REASONS = 20;
const MAX_REASON = 500;

/** Reports to the sender how many spans, or whatever they are `called`, were refused, and for each reason how many. */
export function toOutcome(reasons: readonly string[], called = 'span', warning = ''): OtlpOutcome {
  if (reasons.length === 0) return { rejected: 0, message: warning };
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, of]) => `${reason.slice(0, MAX_REASON)} (${of.length})`,
  );
  const more = counts.length > MAX_REASONS ? [`${counts.length - MAX_REASONS} more reasons`] : [];
  const items = reasons.length === 1 ? `1 ${called}` : `${reasons.length} ${called}s`;
  return {
    rejected: reasons.length,
    message: `${items} refused: ${[...counts.slice(0, MAX_REASONS), ...more].join(', ')}${warning && `; ${warning}`}`,
  };
}
