import { metricName } from '../../core/traces/column.ts';
import { IS_COMPLETE } from './record-statements.ts';
import { encodeText } from './text-codec.ts';

/** Attributes that live in the `attributes` column, with the type their values are compared as. */
const ATTRIBUTE_TYPES: Readonly<Record<string, 'text' | 'double precision'>> = {
  agent_type: 'text',
  tools: 'text',
  model: 'text',
  finish_reason: 'text',
  temperature: 'double precision',
  tool_call_id: 'text',
  control_id: 'double precision',
  agent_name: 'text',
  check_stage: 'text',
  applies_to: 'text',
};

const PLAIN = new Set([
  'input',
  'output',
  'name',
  'created_at',
  'id',
  'external_id',
  'tags',
  'status_code',
  'dataset_input',
  'dataset_output',
  'session_id',
  'project_id',
  'run_id',
  'updated_at',
  'has_children',
  'type',
  'trace_id',
  'parent_id',
  'step_number',
]);

/**
 * The SQL expression of a column of the catalogue, over `records r`. Names come from these tables; a metric's own name
 * is bound as a parameter.
 */
export function columnSql(id: string, bind: (value: unknown) => string): string {
  if (PLAIN.has(id)) return `r.${id}`;
  if (id === 'is_complete') return `(${IS_COMPLETE})`;
  const metric = metricName(id);
  if (metric === 'duration_ns') return 'r.duration_ns::double precision';
  if (metric !== undefined) {
    const name = bind(encodeText(metric));
    return `case when jsonb_typeof(r.metrics -> ${name}) = 'number' then (r.metrics ->> ${name})::double precision end`;
  }
  const type = ATTRIBUTE_TYPES[id];
  if (type === undefined) throw new Error(`column ${id} has no SQL expression`);
  return type === 'text' ? `(r.attributes ->> '${id}')` : `(r.attributes ->> '${id}')::${type}`;
}
