import { type SpanAttributes, type SpanEvent, type SpanReader, toJsonText } from '../plugin-sdk/otel/index.ts';

export interface SpanException {
  readonly event: SpanEvent;
  readonly type: string | undefined;
  readonly message: string | undefined;
  readonly stacktrace: string | undefined;
}

const KNOWN = ['exception.type', 'exception.message', 'exception.stacktrace', 'exception.escaped'];

/** The last exception a span tells of. Libraries record those they handled, too. */
export function lastException(reader: SpanReader): SpanException | undefined {
  const event = reader.events('exception').at(-1);
  if (!event) return undefined;
  const [type, message, stacktrace] = KNOWN.map((key) => textIn(event.attributes, key));
  return { event, type, message, stacktrace };
}

/** An exception that ended the span. */
export const hasEscapedException = (reader: SpanReader): boolean =>
  reader.events('exception').some(({ attributes }) => textIn(attributes, 'exception.escaped')?.toLowerCase() === 'true');

/** Whether an event says no more than what is kept of an exception. */
export const isOnlyException = ({ attributes }: SpanEvent): boolean => [...attributes.keys()].every((key) => KNOWN.includes(key));

function textIn(attributes: SpanAttributes, key: string): string | undefined {
  const value = attributes.get(key) ?? undefined;
  return value === undefined ? undefined : toJsonText(value) || undefined;
}
