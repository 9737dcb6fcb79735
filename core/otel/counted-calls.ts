import { sortableTime } from '../kernel/timestamp.ts';
import { spanType } from '../traces/catalogue/span-types.ts';
import type { MappedSpan } from './spans/mapped-span.ts';

type SpanWithCall = Pick<MappedSpan, 'id' | 'parent_id' | 'type' | 'of_trace' | 'created_at' | 'external_id'>;

/**
 * The calls whose tokens a trace has used. A call inside another of its kind, with nothing but workflows or model calls
 * between, is the one that was made: the outer only wraps it and repeats its numbers. Behind a tool or an agent a call
 * is one more. Nor does a call count that another instrumentation saw at the same time: both name the same response.
 */
export function countedCalls<S extends SpanWithCall>(spans: readonly S[]): S[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const calls = spans.filter(({ of_trace }) => of_trace.call !== null);
  const getWrapper = wrapperFinder(byId);
  const wrappers = new Set(calls.map(getWrapper));
  const counted = calls.filter((call) => !wrappers.has(call));
  const seenTwice = new Set(
    Map.groupBy(counted, ({ of_trace }) => of_trace.response_id)
      .values()
      .flatMap(outerOfSame),
  );
  return counted.filter((call) => !seenTwice.has(call));
}

/** Of calls that name the same response, each inside of whose time another one lies. Senders that make ids up use one again. */
function outerOfSame<S extends SpanWithCall>(calls: readonly S[]): S[] {
  if (calls.length < 2 || calls[0]!.of_trace.response_id === undefined) return [];
  const ended = calls.flatMap((call) => {
    const { ended_at } = call.of_trace;
    return ended_at === null ? [] : [{ call, start: sortableTime(call.created_at), end: sortableTime(ended_at) }];
  });
  ended.sort((a, b) => compare(a.start, b.start) || compare(b.end, a.end) || compare(a.call.external_id, b.call.external_id));
  const outer: S[] = [];
  // The earliest end of those that begin later.
  let earliest: string | undefined;
  for (const { call, end } of ended.toReversed()) {
    if (earliest !== undefined && earliest <= end) outer.push(call);
    else earliest = end;
  }
  return outer;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

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
