import type { JsonValue } from '../../kernel/json.ts';
import { parseNumber, type SpanEvent, type SpanReader, toJsonText } from '../../plugin-sdk/otel/index.ts';
import { SYSTEM_METRICS } from '../../traces/catalogue/system-metrics.ts';

/** A score of a span by a scorer outside of the service. */
export interface Evaluation {
  readonly name: string;
  /** The score; a label where there is no number. */
  readonly value: number | string;
  /** The label beside a number. */
  readonly label: string | undefined;
  readonly explanation: string | undefined;
}

const EVALUATION_EVENT = 'gen_ai.evaluation.result';
const MAX_NAME = 255;
const MAX_LABEL = 1024;
const TAKEN = new Set<string>([...SYSTEM_METRICS, 'cost']);

/** Scores that events of the span carry. */
export function readEvaluations(reader: SpanReader): Evaluation[] {
  return reader.events(EVALUATION_EVENT).flatMap((event) => {
    const evaluation = toEvaluation(event);
    if (!evaluation) return [];
    reader.useEvent(event);
    return [evaluation];
  });
}

/** Undefined without a name and a score, and for a name that the service itself uses. */
function toEvaluation({ attributes }: SpanEvent): Evaluation | undefined {
  const text = (key: string) => textOf(attributes.get(`gen_ai.evaluation.${key}`));
  const name = text('name');
  const label = text('score.label');
  const value = parseNumber(attributes.get('gen_ai.evaluation.score.value')) ?? label;
  if (name === undefined || name.length > MAX_NAME || TAKEN.has(name) || value === undefined) return undefined;
  if (typeof value === 'string' && value.length > MAX_LABEL) return undefined;
  return { name, value, label: value === label ? undefined : label, explanation: text('explanation') };
}

/** Metadata beside the score. */
export function toEvaluationFacts({ name, label, explanation }: Evaluation): [string, string][] {
  const facts = { label, explanation };
  return Object.entries(facts).flatMap(([key, text]) => (text === undefined ? [] : [[`evaluation.${name}.${key}`, text]]));
}

const textOf = (value: JsonValue | undefined): string | undefined =>
  value === undefined || value === null ? undefined : toJsonText(value) || undefined;
