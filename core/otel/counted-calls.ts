import type { MappedSpan } from './mapped-span.ts';

type SpanWithCall = Pick<MappedSpan, 'id' | 'parent_id' | 'type' | 'of_trace'>;

/**
 * The calls whose tokens a trace has used. A call inside another of its kind, with nothing but workflows or model calls
 * between, is the one that was made: the outer only wraps it and repeats its numbers. Behind a tool or an agent a call
 * is one more.
 */
export function countedCalls<S extends SpanWithCall>(spans: readonly S[]): S[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const calls = spans.filter(({ of_trace }) => of_trace.call !== null);
  const wrappers = new Set(calls.map((call) => wrapperOf(call, byId)));
  return calls.filter((call) => !wrappers.has(call));
}

/** The next call of the same kind above; a wrapper of that one is found from there. */
function wrapperOf<S extends SpanWithCall>(call: S, byId: ReadonlyMap<string, S>): S | undefined {
  const seen = new Set<S>([call]);
  for (let above = byId.get(call.parent_id); above && !seen.has(above); above = byId.get(above.parent_id)) {
    if (above.of_trace.call === call.of_trace.call) return above;
    if (above.type !== 'workflow' && above.type !== 'llm') return undefined;
    seen.add(above);
  }
  return undefined;
}
