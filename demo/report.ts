import { styleText } from 'node:util';
import { type SampleRecord, walk } from './sample.ts';
import { type Score, type Scores, scored } from './scores.ts';
import { type Column, excerpt, table } from './table.ts';

type Style = 'green' | 'yellow' | 'red' | 'dim' | 'bold';
export type Paint = (style: Style, text: string) => string;

/** Colours for a terminal, nothing for a file. */
export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? styleText(style, text, { validateStream: false }) : text;

// The user's text comes last: right-to-left text may push about only what follows it.
const COLUMNS: readonly Column[] = [
  { title: 'trace' },
  { title: 'reply' },
  { title: 'grounded', align: 'right' },
  { title: 'tools failed', align: 'right' },
  { title: 'time', align: 'right' },
  { title: 'tokens', align: 'right' },
  { title: 'input' },
];

export function report(traces: readonly SampleRecord[], scores: Scores, paint: Paint): string {
  return table(
    COLUMNS.map((column) => ({ ...column, title: paint('bold', column.title) })),
    traces.map((trace) => row(trace, scores, paint)),
  );
}

function row(trace: SampleRecord, scores: Scores, paint: Paint): string[] {
  const of = (type: string) =>
    scored(trace)
      .filter((record) => record.type === type)
      .map((record) => scores.get(record.id));
  const tokens = [...walk(trace)].reduce((sum, { metrics }) => sum + (metrics.num_total_tokens ?? 0), 0);
  return [
    excerpt(trace.name, 20),
    reply(of('trace')[0], paint),
    grounded(of('llm'), paint),
    toolsFailed(of('tool'), paint),
    `${(trace.metrics.duration_ns / 1e9).toFixed(1)} s`,
    String(tokens),
    paint('dim', excerpt(typeof trace.input === 'string' ? trace.input : '', 44)),
  ];
}

function reply(score: Score | undefined, paint: Paint): string {
  if (score?.state !== 'success') return paint('dim', score?.state ?? 'pending');
  const value = String(score.value);
  return value === 'ok' ? paint('green', value) : paint(value === 'apology' ? 'yellow' : 'red', value);
}

/** The weakest answer of the run: an average would hide one invention among ten tool calls. */
function grounded(all: readonly (Score | undefined)[], paint: Paint): string {
  if (all.length === 0) return '–';
  const values = all.flatMap((score) => (score?.state === 'success' ? [Number(score.value)] : []));
  if (values.length === 0) return '?';
  const least = Math.min(...values);
  return (
    paint(least >= 0.6 ? 'green' : least >= 0.3 ? 'yellow' : 'red', least.toFixed(2)) + (values.length < all.length ? '?' : '')
  );
}

function toolsFailed(all: readonly (Score | undefined)[], paint: Paint): string {
  if (all.length === 0) return '–';
  const failed = all.filter((score) => score?.state === 'success' && score.value === true).length;
  const known = all.every((score) => score?.state === 'success');
  return paint(failed > 0 ? 'red' : 'dim', `${failed}/${all.length}`) + (known ? '' : '?');
}
