import { COLUMN_KINDS } from '../../../core/traces/catalogue/field-kinds.ts';
import { COMMON_FIELDS, OWN_FIELDS, ownField } from '../../../core/traces/catalogue/record-fields.ts';
import type { OwnField } from '../../../core/traces/catalogue/span-types.ts';
import { isSystemMetric } from '../../../core/traces/catalogue/system-metrics.ts';
import { findColumn, type OwnName, parseOwnName } from '../../../core/traces/columns/column.ts';
import { encodeText } from '../database/text-codec.ts';
import { IS_COMPLETE } from './record-statements.ts';

/** Adds a value to the statement and returns its `$n`. */
export interface Bind {
  (value: unknown): string;
  /** The run that all records of the statement are of, where they are of one. */
  readonly run?: { readonly project_id: string; readonly run_id: string };
}

/** The same, for a statement about the records of one run. */
export const bindIn = ({ project_id, run_id }: NonNullable<Bind['run']>, bind: Bind): Bind =>
  Object.assign((value: unknown) => bind(value), { run: { project_id, run_id } });

/** SQL that reads a metric's JSON value, whatever it is, for a filter of each type. */
const METRIC_READINGS = {
  number: `case when jsonb_typeof(v) = 'number' then (v #>> '{}')::double precision end`,
  boolean: `case when jsonb_typeof(v) = 'boolean' then (v #>> '{}')::boolean end`,
  text: `v #>> '{}'`,
  collection: `case when jsonb_typeof(v) = 'array' then array(
    select item from jsonb_array_elements_text(case when jsonb_typeof(v) = 'array' then v else '[]' end) as item where item is not null) end`,
} as const;
export type Reading = keyof typeof METRIC_READINGS;

/** Texts and what counts as text in a sort: not the numbers and booleans, which come before them. */
const OTHER_THAN_NUMBER_AND_BOOLEAN = `case when jsonb_typeof(v) not in ('number', 'boolean') then v #>> '{}' end`;

/**
 * The SQL expression of a column of the catalogue, over `records r`, as filters of a type read it. Names come from
 * these tables; a name of the sender's own is bound as a parameter.
 */
export function columnSql(id: string, reading: Reading, bind: Bind): string {
  const own = parseOwnName(id);
  if (own) return ownSql(own, reading, bind);
  if (id === 'is_complete') return `(${IS_COMPLETE})`;
  if (Object.hasOwn(COMMON_FIELDS, id)) return `r.${id}`;
  if (!Object.hasOwn(OWN_FIELDS, id)) throw new Error(`column ${id} has no SQL expression`);
  const isNumber = COLUMN_KINDS[ownField(id as OwnField).kind].filter_types[0] === 'number';
  return isNumber ? `(r.attributes ->> '${id}')::double precision` : `(r.attributes ->> '${id}')`;
}

/** Expressions that records are ordered by under a column: one, or several where values may be of several kinds. */
export function sortKeysSql(id: string, bind: Bind): string[] {
  const own = parseOwnName(id);
  if (own?.place === 'metrics' && !isSystemMetric(own.name)) {
    const value = metricSql(own.name, bind);
    return [
      readingSql(value, METRIC_READINGS.number),
      readingSql(value, METRIC_READINGS.boolean),
      `${readingSql(value, OTHER_THAN_NUMBER_AND_BOOLEAN)} collate "C"`,
    ];
  }
  const collation = findColumn(id)?.data_type === 'text' ? ' collate "C"' : '';
  return [columnSql(id, 'number', bind) + collation];
}

function ownSql({ place, name }: OwnName, reading: Reading, bind: Bind): string {
  if (place !== 'metrics') return `(r.${place} ->> ${bind(encodeText(name))})`;
  if (name === 'duration_ns') return 'r.duration_ns::double precision';
  if (isSystemMetric(name)) return readingSql(`r.metrics -> ${bind(encodeText(name))}`, METRIC_READINGS.number);
  return readingSql(metricSql(name, bind), METRIC_READINGS[reading]);
}

/** The value is worked out once, however often the reading looks at it. */
const readingSql = (value: string, reading: string): string =>
  `(select ${reading} from (select ${value} as v offset 0) as metric)`;

/** SQL of a metric: the newest score of this name, else the value that came with the record. */
function metricSql(metric: string, bind: Bind): string {
  const name = bind(encodeText(metric));
  return `coalesce(case when ${hasScoresSql(name, bind)} then (
    select nullif(s.value::jsonb, 'null') from scores s
    where s.project_id = r.project_id and s.record_id = r.id and s.run_id = r.run_id and s.metric_name = ${name}
    order by s.scored_at desc, s.scorer_version_id desc limit 1
  ) end, r.metrics -> ${name})`;
}

/** Asked once for the statement: without scores of the name, no record has to be looked up among them. */
const hasScoresSql = (name: string, bind: Bind): string =>
  bind.run === undefined
    ? 'true'
    : `exists (select from scores any_score where any_score.project_id = ${bind(bind.run.project_id)}
        and any_score.run_id = ${bind(bind.run.run_id)} and any_score.metric_name = ${name})`;
