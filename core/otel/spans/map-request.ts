import type { DestinationOf, OtlpDestination } from '../destination.ts';
import { isTooLarge, MAX_MAPPED_BYTES } from '../storable.ts';
import { type Mapping, mapSpan } from './map-span.ts';
import type { MappedSpan, SpanOfTrace } from './mapped-span.ts';
import type { OtlpRequest } from './otlp-span.ts';
import { findIdRefusal } from './span-refusal.ts';

/** Spans that go to the same place: no two of them have the same id. */
export interface MappedGroup {
  readonly destination: OtlpDestination;
  readonly spans: readonly MappedSpan[];
}

export interface MappedRequest {
  readonly groups: readonly MappedGroup[];
  /** Why spans were refused, one text for each of them. */
  readonly refused: readonly string[];
}

interface OpenGroup {
  readonly destination: OtlpDestination;
  readonly spans: Map<string, MappedSpan>;
}

/** Maps a whole request; spans that cannot be kept are refused one by one, the others are none the worse for it. */
export function mapRequest(request: OtlpRequest, getDestination: DestinationOf, mapping: Mapping): MappedRequest {
  const groups = new Groups();
  const refused: string[] = [];
  for (const { resource, scope_spans } of request.resource_spans) {
    for (const { scope, spans } of scope_spans) {
      for (const span of spans) {
        const reason = findIdRefusal(span);
        const mapped = reason === undefined ? mapSpan(span, scope.name, resource, mapping) : undefined;
        if (!mapped) refused.push(reason!);
        else if (isTooLarge(toStoredParts(mapped))) refused.push(`span is larger than ${MAX_MAPPED_BYTES} bytes`);
        else keep(groups.at(getDestination(resource, span.attributes)).spans, mapped);
      }
    }
  }
  return { groups: groups.closed(), refused };
}

/** The parts that take room: the text that a trace may take from its span is stored once, with the span. */
const toStoredParts = ({ of_trace, ...span }: MappedSpan) => ({
  ...span,
  of_trace: { ...of_trace, input_text: null, output_text: null },
});

interface Ended {
  readonly of_trace: Pick<SpanOfTrace, 'ended_at'>;
}

/**
 * Whether a span that arrived takes the place of one that is there already: the version that ended later stays, and of
 * two that ended together the newer one.
 */
export function replaces(arrived: Ended, stored: Ended): boolean {
  return (arrived.of_trace.ended_at ?? '') >= (stored.of_trace.ended_at ?? '');
}

function keep(spans: Map<string, MappedSpan>, mapped: MappedSpan): void {
  const twin = spans.get(mapped.id);
  if (!twin || replaces(mapped, twin)) spans.set(mapped.id, mapped);
}

/** Joins requests that were mapped apart, in their order. */
export function joinedRequests(parts: readonly MappedRequest[]): MappedRequest {
  const groups = new Groups();
  for (const part of parts) {
    for (const { destination, spans } of part.groups) {
      const open = groups.at(destination).spans;
      for (const span of spans) keep(open, span);
    }
  }
  return { groups: groups.closed(), refused: parts.flatMap(({ refused }) => refused) };
}

/** Groups by what their destinations say. */
class Groups {
  readonly #groups = new Map<string, OpenGroup>();
  readonly #known = new WeakMap<OtlpDestination, OpenGroup>();

  at(destination: OtlpDestination): OpenGroup {
    // Most spans of a resource have the very same destination, which is not written as JSON for each of them.
    const known = this.#known.get(destination);
    if (known) return known;
    const key = JSON.stringify(destination);
    const group = this.#groups.get(key) ?? { destination, spans: new Map() };
    this.#groups.set(key, group);
    this.#known.set(destination, group);
    return group;
  }

  closed(): MappedGroup[] {
    return [...this.#groups.values()].map(({ destination, spans }) => ({ destination, spans: [...spans.values()] }));
  }
}
