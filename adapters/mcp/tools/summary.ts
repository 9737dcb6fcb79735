type Fields = Readonly<Record<string, unknown>>;

/** Statuses of records are those of HTTP: from here on they are errors. */
export const FIRST_ERROR_STATUS = 400;

const ABOUT_ALL = ['id', 'type', 'name', 'created_at', 'status_code', 'session_id', 'external_id', 'tags', 'model'] as const;
const MEASURED = ['duration_ns', 'num_input_tokens', 'num_output_tokens', 'num_total_tokens', 'cost'] as const;

/** A record with what a reader asks for first; what is null or empty is left out. */
export function summarize(record: Fields): Fields {
  const { metrics = {}, metric_info = {} } = record as { metrics?: Fields; metric_info?: Fields };
  return filled({
    ...pick(record, ABOUT_ALL),
    input: record.input,
    output: record.output,
    ...pick(metrics, MEASURED),
    scores: Object.fromEntries(Object.entries(metric_info).map(([name, info]) => [name, summarizeScore(info as Fields)])),
    user_metadata: record.user_metadata,
  });
}

/** Status, value, explanation or message of one scorer. */
export const summarizeScore = (info: Fields): Fields =>
  filled(pick(info, ['status_type', 'value', 'explanation', 'message'] as const));

/** Own enumerable fields of these names. */
const pick = (from: Fields, names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, from[name]]));

const filled = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => !isBlank(value)));

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
