import { spanType } from '../traces/catalogue/span-types.ts';
import type { MappedSpan } from './spans/mapped-span.ts';

type SpanWithCall = Pick<MappedSpan, 'id' | 'parent_id' | 'type' | 'of_trace'>;

/**
 * The calls whose tokens a trace has used. A call inside another of its kind, with nothing but workflows or model calls
 * between, is the one that was made: the outer only wraps it and repeats its numbers. Behind a tool or an agent a call
 * is one more.
 */
export function countedCalls<S extends SpanWithCall>(spans: readonly S[]): S[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const calls = spans.filter(({ of_trace }) => of_trace.call !== null);
  const getWrapper = wrapperFinder(byId);
  const wrappers = new Set(calls.map(getWrapper));
  return calls.filter((call) => !wrappers.has(call));
}

/**
 * Finds the next call of the same kind above; a wrapper of that one is found from there. A way that was gone up once is not
 * gone again for the next call below it.
 */
function wrapperFinder<S extends SpanWithCall>(byId: ReadonlyMap<string, S>): (call: S) => S | undefined {
  const known = new Map<S['of_trace']['call'], Map<S, S | undefined>>();
  return (call) => {
    const kind = call.of_trace.call;
    const found = known.get(kind) ?? new Map<S, S | undefined>();
    known.set(kind, found);
    const wrapper = upFrom(byId.get(call.parent_id), kind, byId, found);
    return wrapper === call ? undefined : wrapper;
  };
}

/** The first call of the kind from here on upward; `found` is what is known of spans on the way. */
function upFrom<S extends SpanWithCall>(
  from: S | undefined,
  kind: S['of_trace']['call'],
  byId: ReadonlyMap<string, S>,
  found: Map<S, S | undefined>,
): S | undefined {
  const way: S[] = [];
  let at = from;
  for (; at && !found.has(at) && at.of_trace.call !== kind && isOnTheWay(at); at = byId.get(at.parent_id)) {
    way.push(at);
    // Who comes by here again goes round in circles.
    found.set(at, undefined);
  }
  const end = at && found.has(at) ? found.get(at) : at?.of_trace.call === kind ? at : undefined;
  for (const span of way) found.set(span, end);
  return end;
}

const isOnTheWay = ({ type }: SpanWithCall): boolean => spanType(type).otel.may_be_wrapper;
