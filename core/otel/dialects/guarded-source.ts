import type { z } from 'zod';
import type { OtelDialectPlugin, Source, SpanReader } from '../../plugin-sdk/otel/index.ts';
import { FIELD_SCHEMAS, isPlainText } from './field-schemas.ts';
import type { Field, Vocabulary } from './vocabulary.ts';

/** Fault of a dialect. */
export interface DialectFault {
  /** The plugin's id. */
  readonly dialect: string;
  readonly field: string;
  readonly rank: number;
  /** `threw` with the name of the error, or what is wrong with the value, by places; nothing that the span holds. */
  readonly what: string;
  /** Where it was thrown, without the message, which may repeat what users sent. */
  readonly stack?: string;
}

export type ReportFault = (fault: DialectFault) => void;

/**
 * The sources of a plugin, behind the boundary between it and the service: what they return has been read by a schema and is a copy.
 * A source that throws, or returns something else, is reported and counts as one that found nothing, so that others are asked and what
 * it used is kept.
 */
export function toGuardedSources({ id, sources }: OtelDialectPlugin, report: ReportFault): Vocabulary {
  const fields = (Object.keys(sources) as Field[]).filter((field) => Object.hasOwn(FIELD_SCHEMAS, field));
  return Object.fromEntries(
    fields.map((field) => [field, (sources[field] ?? []).map((source) => guarded(id, field, source, report))]),
  );
}

function guarded(dialect: string, field: Field, { rank, read, needs }: Source<unknown>, report: ReportFault): Source<unknown> {
  const schema: z.ZodType<unknown> = FIELD_SCHEMAS[field];
  const fail = (what: string, stack?: string): undefined => {
    report({ dialect, field, rank, what, ...(stack !== undefined && { stack }) });
    return undefined;
  };
  return {
    rank,
    ...(needs !== undefined && { needs }),
    read(reader: SpanReader) {
      try {
        const given = read(reader);
        if (given === undefined || isPlainText(field, given)) return given;
        const { data, error } = schema.safeParse(given);
        return error ? fail(toFlaws(error.issues, given)) : data;
      } catch (error) {
        return fail(`threw ${error instanceof Error ? toName(error) : 'what is no Error'}`, toFrames(error));
      }
    },
  };
}

type Issues = readonly { readonly path: readonly PropertyKey[]; readonly code?: string; readonly message: string }[];

/** Places and messages of schemas, which repeat no value. Numbers in places do not make another cause. */
function toFlaws(issues: Issues, given: unknown): string {
  if (typeof (given as { then?: unknown } | null)?.then === 'function') return 'is a promise: dialects are synchronous';
  const [first] = issues;
  const place = (first?.path ?? []).map((step) => (typeof step === 'number' ? '[]' : String(step))).join('.');
  return `${place && `${place}: `}${first?.message ?? 'has another shape'}`;
}

/** Names of errors are the plugin's to choose; known ones are few. */
const NAMES = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'URIError',
  'EvalError',
  'PluginError',
]);
const toName = ({ name }: Error): string => (NAMES.has(name) ? name : 'Error');

const MAX_FRAMES = 10;

function toFrames(error: unknown): string {
  const lines = error instanceof Error && typeof error.stack === 'string' ? error.stack.split('\n') : [];
  return lines
    .filter((line) => /^ {4}at /.test(line))
    .slice(0, MAX_FRAMES)
    .join('\n');
}
