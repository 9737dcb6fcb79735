import { parse } from 'node:path';
import { toSpanId, toTraceId } from '../record-ids.ts';
import type { Imported, ImportedScore, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

const FOREIGN = ['id', 'created_at', 'updated_at', 'source', 'user_id', 'identifier', 'metadata'];

/** An annotation of a span, a trace or a session; evaluations of a file of their own are named after it. */
export function toAnnotation(row: SourceRow, { file, leaveOut }: RowContext): readonly Imported[] | undefined {
  const result = row.object('result');
  const [score, label, explanation] = ['score', 'label', 'explanation'].map(
    (name) => result?.[name] ?? row.value(`result.${name}`, name),
  );
  const value = typeof score === 'string' && score !== '' ? Number(score) : score;
  const [span, trace, session] = [
    row.text('span_id', 'context.span_id'),
    row.text('trace_id', 'context.trace_id'),
    row.text('session_id'),
  ];
  if (row.value('document_position') !== undefined) {
    leaveOut('an annotation of a document');
    return [];
  }
  if (typeof value !== 'number' && typeof label !== 'string' && typeof explanation !== 'string') {
    leaveOut('an annotation without a score, a label and an explanation');
    return [];
  }
  const at = row.text('updated_at', 'created_at');
  const by = row.text('annotator_kind')?.toUpperCase() === 'HUMAN' ? 'person' : 'program';
  const name = row.text('annotation_name', 'name', 'eval_name') ?? parse(file).name;
  row.skip(...FOREIGN);
  for (const field of row.unread()) leaveOut(`${field} of an annotation`);
  const base = { kind: 'score', name, by, at, ...toResult(value, label, explanation) } as const;
  return [{ ...base, ...toPlace(span, trace, session) }];
}

type Result = Pick<ImportedScore, 'value' | 'label' | 'explanation'>;

function toResult(value: unknown, label: unknown, explanation: unknown): Result {
  const told = typeof explanation === 'string' && explanation !== '' ? explanation : undefined;
  if (typeof value === 'number') return { value, label: typeof label === 'string' ? label : undefined, explanation: told };
  // An explanation alone is what somebody said.
  return typeof label === 'string' ? { value: label, explanation: told } : { value: told ?? '' };
}

function toPlace(span?: string, trace?: string, session?: string): Partial<ImportedScore> {
  if (span !== undefined && trace !== undefined)
    return { trace_id: toTraceId('phoenix', trace), span_id: toSpanId('phoenix', span) };
  if (span !== undefined) return { source_span: span };
  return trace === undefined ? { session } : { trace_id: toTraceId('phoenix', trace) };
}
