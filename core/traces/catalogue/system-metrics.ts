import { MODEL_CALLS, RECORD_TYPES, type RecordType } from './span-types.ts';

interface SystemMetricEntry {
  readonly label: string;
  readonly description: string;
  /** Of its values; null where they are counts. */
  readonly unit: 'nano_seconds' | null;
  readonly applies_to: readonly RecordType[];
  /** How some clients spell it. */
  readonly also: string;
}

/** The catalogue of metrics that every record of a type may have and no scorer can. They are whole and not negative. */
export const SYSTEM_METRIC_CATALOGUE = {
  duration_ns: {
    label: 'Duration',
    description: 'How long the step took.',
    unit: 'nano_seconds',
    applies_to: RECORD_TYPES,
    also: 'durationNs',
  },
  num_input_tokens: {
    label: 'Input tokens',
    description: 'Tokens given to the model.',
    unit: null,
    applies_to: MODEL_CALLS,
    also: 'numInputTokens',
  },
  num_output_tokens: {
    label: 'Output tokens',
    description: 'Tokens answered by the model.',
    unit: null,
    applies_to: MODEL_CALLS,
    also: 'numOutputTokens',
  },
  num_total_tokens: {
    label: 'Total tokens',
    description: 'Tokens given and answered.',
    unit: null,
    applies_to: MODEL_CALLS,
    also: 'numTotalTokens',
  },
  time_to_first_token_ns: {
    label: 'Time to first token',
    description: 'How long the first token of the answer took.',
    unit: 'nano_seconds',
    applies_to: MODEL_CALLS,
    also: 'timeToFirstTokenNs',
  },
} as const satisfies Readonly<Record<string, SystemMetricEntry>>;

export type SystemMetricName = keyof typeof SYSTEM_METRIC_CATALOGUE;

export const SYSTEM_METRICS = Object.keys(SYSTEM_METRIC_CATALOGUE) as readonly SystemMetricName[];

export const isSystemMetric = (name: string): name is SystemMetricName => Object.hasOwn(SYSTEM_METRIC_CATALOGUE, name);

/** Returns the catalogue entry of a system metric. */
export const systemMetricEntry = (name: SystemMetricName): SystemMetricEntry => SYSTEM_METRIC_CATALOGUE[name];

/** Those of calls of models alone. */
export const CALL_METRICS = SYSTEM_METRICS.filter((name) => systemMetricEntry(name).applies_to === MODEL_CALLS);
