import { toJsonText } from './messages/json-text.ts';
import type { OtlpAttributes, OtlpEvent } from './spans/otlp-span.ts';
import type { SpanReader } from './spans/span-reader.ts';

export interface SpanException {
  readonly event: OtlpEvent;
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
export const isOnlyException = ({ attributes }: OtlpEvent): boolean => [...attributes.keys()].every((key) => KNOWN.includes(key));

function textIn(attributes: OtlpAttributes, key: string): string | undefined {
  const value = attributes.get(key) ?? undefined;
  return value === undefined ? undefined : toJsonText(value) || undefined;
}
