import type { JsonValue } from '../../kernel/json.ts';
import type { SpanEvent } from '../../plugin-sdk/otel/index.ts';
import { isJsonObject, toJsonText, toStructured } from '../../plugin-sdk/otel/json-text.ts';
import type { ReadingPlan } from '../dialects/dialects.ts';
import { isOnlyException, lastException } from '../exception.ts';
import { isoOfNanos } from '../otel-time.ts';
import { cut, toListText } from '../storable.ts';
import { getKindName } from './otlp-span.ts';
import type { KeptTexts } from './repeated-texts.ts';
import type { SpanFields } from './span-fields.ts';

const MAX_STACKTRACE = 16 * 1024;
const MAX_LIST = 64 * 1024;

/**
 * Everything about a span that has no field of its own. Has to come last, because it keeps the events that the reader has not
 * used, and `kept`, the attributes. A key that is taken does not push anything out: the later value gets a longer key.
 * Of what senders write down again it is said where `texts` has it; metadata of the user's stays as it came.
 */
export function toSpanMetadata(
  fields: SpanFields,
  scopeName: string,
  extra: Readonly<Record<string, string>>,
  kept: readonly (readonly [string, JsonValue])[],
  texts: KeptTexts,
): Map<string, string> {
  const { plan } = fields;
  const metadata = new Map<string, string>();
  for (const [key, text] of Object.entries({ ...toFacts(fields, scopeName, texts), ...extra })) if (text) metadata.set(key, text);
  const later: [string, JsonValue][] = [];
  for (const [key, value] of kept) {
    if (plan.metadata_objects.includes(key) || plan.metadata_prefixes.some((prefix) => key.startsWith(prefix)))
      later.push([key, value]);
    else place(metadata, key, texts.withoutRepeats(toJsonText(value)));
  }
  for (const [key, value] of later) placeOfUser(metadata, plan, [key, value]);
  return metadata;
}

function toFacts({ span, reader }: SpanFields, scopeName: string, texts: KeptTexts): Record<string, string | undefined> {
  const exception = lastException(reader);
  const untold = reader.unusedEvents.filter((event) => event !== exception?.event || !isOnlyException(event));
  const events = toListText(
    untold.map((event) => toShownEvent(event, texts)),
    MAX_LIST,
  );
  const links = toListText(
    span.links.map((link) => ({ ...link, attributes: Object.fromEntries(link.attributes) })),
    MAX_LIST,
  );
  return {
    'otel.span_kind': getKindName(span.kind),
    'otel.scope.name': scopeName,
    'otel.status_message': span.status.message,
    'exception.type': exception?.type,
    'exception.message': exception?.message,
    'exception.stacktrace': exception?.stacktrace && cut(exception.stacktrace, MAX_STACKTRACE),
    'otel.events': events.text,
    'otel.links': links.text,
    'otel.dropped': droppedText({
      attributes: span.dropped.attributes,
      events: span.dropped.events + events.left_out,
      links: span.dropped.links + links.left_out,
      texts: Number((exception?.stacktrace?.length ?? 0) > MAX_STACKTRACE),
    }),
  };
}

const timed = (nanos: bigint) => (nanos === 0n ? {} : { time: isoOfNanos(nanos) });
const toShownEvent = ({ name, time_unix_nano, attributes }: SpanEvent, texts: KeptTexts): object => ({
  name,
  ...timed(time_unix_nano),
  attributes: Object.fromEntries(
    [...attributes].map(([key, value]) => [key, typeof value === 'string' ? texts.withoutRepeats(value) : value]),
  ),
});

const DROPPED = 'otel.dropped';

function droppedText(dropped: Readonly<Record<string, number>>): string {
  const counts: Record<string, number> = {};
  let isAny = false;
  for (const name in dropped) {
    if (!(dropped[name]! > 0)) continue;
    counts[name] = dropped[name]!;
    isAny = true;
  }
  return isAny ? JSON.stringify(counts) : '';
}

/** Metadata that names what else was left out. */
export function withDropped(
  metadata: Readonly<Record<string, string>>,
  more: Readonly<Record<string, number>>,
): Record<string, string> {
  const before = JSON.parse(metadata[DROPPED] ?? '{}') as Readonly<Record<string, number>>;
  const sums = Object.entries(more).map(([name, count]) => [name, (before[name] ?? 0) + count]);
  return { ...metadata, [DROPPED]: droppedText({ ...before, ...Object.fromEntries(sums) }) };
}

/** Metadata of the user's goes under the user's own key, as long as that is free. */
function placeOfUser(metadata: Map<string, string>, plan: ReadingPlan, [key, value]: [string, JsonValue]): void {
  const prefix = plan.metadata_prefixes.find((candidate) => key.startsWith(candidate));
  const short = prefix && key.slice(prefix.length);
  const object = toStructured(value);
  const entries = isJsonObject(object) && !short ? Object.entries(object) : [];
  if (entries.length === 0 || entries.some(([name]) => metadata.has(name))) {
    place(metadata, short && !metadata.has(short) ? short : key, toJsonText(value));
  } else {
    for (const [name, child] of entries) metadata.set(name, toJsonText(child));
  }
}

function place(metadata: Map<string, string>, key: string, text: string): void {
  let free = key;
  while (metadata.has(free) && metadata.get(free) !== text) free = `attribute.${free}`;
  metadata.set(free, text);
}
