import type { Pause } from '../../kernel/slices.ts';
import type { DestinationOf } from '../destination.ts';
import { joinedRequests, type MappedRequest, mapRequest } from './map-request.ts';
import type { Mapping } from './map-span.ts';
import type { OtlpAttributes, OtlpRequest, OtlpSpan } from './otlp-span.ts';

/** A few milliseconds of work: so many small spans. */
const WEIGHT_AT_ONCE = 50;
/** Number of attributes that take as long to map as a small span does. */
const ATTRIBUTES_PER_SPAN = 32;
const CHARACTERS_PER_SPAN = 32 * 1024;

/** As `mapRequest`, pausing on the way: a large request takes seconds, and others are waiting. */
export async function mapInSlices(
  request: OtlpRequest,
  getDestination: DestinationOf,
  mapping: Mapping,
  pause: Pause,
): Promise<MappedRequest> {
  const parts: MappedRequest[] = [];
  for (const slice of toSlices(request)) {
    if (parts.length > 0) await pause();
    parts.push(mapRequest(slice, getDestination, mapping));
  }
  return joinedRequests(parts);
}

/** Requests of few spans each, or of one large one. Small neighbours stay together, so that many of them cost no more than one. */
function* toSlices({ resource_spans }: OtlpRequest): Generator<OtlpRequest> {
  let gathered: OtlpRequest['resource_spans'][number][] = [];
  let room = WEIGHT_AT_ONCE;
  for (const { resource, scope_spans } of resource_spans) {
    for (const { scope, spans } of scope_spans) {
      for (let at = 0; at < spans.length; ) {
        const start = at;
        while (at < spans.length && room > 0) {
          room -= computeWeight(spans[at]!);
          at += 1;
        }
        gathered.push({ resource, scope_spans: [{ scope, spans: spans.slice(start, at) }] });
        if (room > 0) continue;
        yield { resource_spans: gathered };
        gathered = [];
        room = WEIGHT_AT_ONCE;
      }
    }
  }
  if (gathered.length > 0) yield { resource_spans: gathered };
}

/** A small span weighs 1. */
const computeWeight = ({ attributes, events, links }: OtlpSpan): number =>
  [attributes, ...events.map((event) => event.attributes), ...links.map((link) => link.attributes)].reduce(
    (sum, one) => sum + getWeight(one),
    1,
  );

function getWeight(attributes: OtlpAttributes): number {
  let characters = 0;
  for (const value of attributes.values()) if (typeof value === 'string') characters += value.length;
  return attributes.size / ATTRIBUTES_PER_SPAN + characters / CHARACTERS_PER_SPAN;
}
