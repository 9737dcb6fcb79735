import type { DestinationOf } from '../destination.ts';
import { joinedRequests, type MappedRequest, mapRequest } from './map-request.ts';
import type { Mapping } from './map-span.ts';
import type { OtlpRequest } from './otlp-span.ts';

/** Lets whatever else waits have its turn. */
export type Pause = () => Promise<void>;

/** A few milliseconds of work. */
const SPANS_AT_ONCE = 50;

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

/** Requests of few spans each. Small neighbours stay together, so that many of them cost no more than one. */
function* toSlices({ resource_spans }: OtlpRequest): Generator<OtlpRequest> {
  let gathered: OtlpRequest['resource_spans'][number][] = [];
  let room = SPANS_AT_ONCE;
  for (const { resource, scope_spans } of resource_spans) {
    for (const { scope, spans } of scope_spans) {
      for (let at = 0; at < spans.length; ) {
        const taken = spans.slice(at, at + room);
        gathered.push({ resource, scope_spans: [{ scope, spans: taken }] });
        at += taken.length;
        room -= taken.length;
        if (room > 0) continue;
        yield { resource_spans: gathered };
        gathered = [];
        room = SPANS_AT_ONCE;
      }
    }
  }
  if (gathered.length > 0) yield { resource_spans: gathered };
}
