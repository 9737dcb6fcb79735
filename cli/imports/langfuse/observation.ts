import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { isJsonObject, parseNumber, toStructured } from '../../../core/plugin-sdk/otel/index.ts';
import { toSpanId, toTraceId } from '../record-ids.ts';
import type { Imported, ImportedTrace } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

/** Fields that repeat others: prices and sums that follow from the details, system times, ids of what stands beside them by name. */
const REPEATED = [
  ...['latency', 'timeToFirstToken', 'time_to_first_token', 'unit', 'createdAt', 'created_at', 'updatedAt', 'updated_at'],
  ...['inputPrice', 'outputPrice', 'totalPrice', 'input_price', 'output_price', 'total_price', 'inputCost', 'outputCost'],
  ...[
    'calculatedInputCost',
    'calculatedOutputCost',
    'inputUsage',
    'outputUsage',
    'totalUsage',
    'tool_call_names',
    'toolCallNames',
  ],
  ...['projectId', 'project_id', 'modelId', 'model_id', 'internalModelId', 'promptId', 'prompt_id', 'bookmarked', 'public'],
  ...['usagePricingTierId', 'usage_pricing_tier_id', 'usagePricingTierName', 'usage_pricing_tier_name', 'traceTimestamp'],
];

/** An observation as a span with the attributes that the SDKs of Langfuse give it, and what it says of its trace. */
export function toObservation(row: SourceRow): readonly Imported[] | undefined {
  const [source_id, trace] = [row.text('id'), row.text('traceId', 'trace_id')];
  if (source_id === undefined || trace === undefined) return undefined;
  const trace_id = toTraceId('langfuse', trace);
  const parent = row.text('parentObservationId', 'parent_observation_id');
  const start = row.time('startTime', 'start_time');
  const level = row.text('level');
  const attributes: Record<string, JsonValue> = {};
  const set = (name: string, value: JsonValue | undefined): void => {
    if (value !== undefined) attributes[`langfuse.observation.${name}`] = value;
  };
  set('type', row.text('type')?.toLowerCase());
  set('level', level);
  set('status_message', row.text('statusMessage', 'status_message'));
  set('input', row.value('input'));
  set('output', withToolCalls(row));
  set('model.name', row.text('model', 'providedModelName', 'provided_model_name'));
  set('model.parameters', row.value('modelParameters', 'model_parameters'));
  set('usage_details', toUsage(row));
  set('cost_details', toCost(row));
  set('completion_start_time', row.value('completionStartTime', 'completion_start_time'));
  set('prompt.name', row.text('promptName', 'prompt_name'));
  set('prompt.version', row.text('promptVersion', 'prompt_version'));
  set('version', row.text('version'));
  const tools = Object.entries<JsonValue>(row.object('toolDefinitions', 'tool_definitions') ?? {}).map(toTool);
  if (tools.length > 0) attributes['gen_ai.tool.definitions'] = tools;
  const metadata = row.structured('metadata');
  if (isJsonObject(metadata)) set('metadata', metadata);
  else if (metadata !== undefined) set('metadata.value', metadata);
  const of_trace = ofTrace(row, trace_id, trace);
  const name = row.text('name') ?? row.text('type')!.toLowerCase();
  const end = row.time('endTime', 'end_time') ?? (row.text('type')?.toUpperCase() === 'EVENT' ? start : null);
  row.skip(...REPEATED);
  for (const [name, value] of row.rest()) attributes[`langfuse.${name}`] = value;
  return [
    {
      kind: 'span',
      trace_id,
      span_id: toSpanId('langfuse', source_id),
      parent_id: parent === undefined ? null : toSpanId('langfuse', parent),
      source_id,
      name,
      start,
      end,
      attributes,
      failed: level?.toUpperCase() === 'ERROR',
      error: level?.toUpperCase() === 'ERROR' ? (row.text('statusMessage', 'status_message') ?? null) : null,
    },
    of_trace,
  ];
}

/** Rows of the enriched export say of their trace what its own row says. */
function ofTrace(row: SourceRow, trace_id: string, source_id: string): ImportedTrace {
  const facts = {
    name: row.text('traceName', 'trace_name'),
    session: row.text('sessionId', 'session_id'),
    user_id: row.text('userId', 'user_id'),
  };
  const tags = row.texts('tags', 'traceTags', 'trace_tags');
  const release = row.text('release');
  const metadata: JsonObject = release === undefined ? {} : { release };
  return { kind: 'trace', trace_id, source_id, ...facts, tags, metadata };
}

/** An answer that only calls tools may have them beside it, not in it. */
function withToolCalls(row: SourceRow): JsonValue | undefined {
  const output = row.value('output');
  const calls = row.list('toolCalls', 'tool_calls').map(toStructuredCall);
  if (calls.length === 0 || output !== undefined) return output;
  return { role: 'assistant', content: '', tool_calls: calls };
}

/** Tools stand under their names, each as JSON text. */
function toTool([name, definition]: [string, JsonValue]): JsonObject {
  const read = toStructured(definition);
  return { type: 'function', name, ...(isJsonObject(read) ? read : { description: read }) };
}

function toStructuredCall(call: JsonValue): JsonValue {
  if (typeof call !== 'string') return call;
  try {
    return JSON.parse(call) as JsonValue;
  } catch {
    return { name: call };
  }
}

/** Newer exports count by free names; older ones have three numbers, in an object or beside each other. */
function toUsage(row: SourceRow): JsonObject | undefined {
  const details = numbersIn(row.object('usageDetails', 'usage_details'));
  const usage = numbersIn(row.object('usage'));
  const flat = numbersIn({
    input: row.value('promptTokens', 'prompt_tokens', 'inputTokens', 'input_tokens') ?? null,
    output: row.value('completionTokens', 'completion_tokens', 'outputTokens', 'output_tokens') ?? null,
    total: row.value('totalTokens', 'total_tokens') ?? null,
  });
  const { input, output, total } = usage;
  const older = {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(total !== undefined && { total }),
  };
  const found = [details, older, flat].find((counts) => Object.values(counts).some((count) => count > 0));
  return found;
}

function toCost(row: SourceRow): JsonObject | undefined {
  const total = row.number('totalCost', 'total_cost', 'calculatedTotalCost', 'calculated_total_cost');
  const details = numbersIn(row.object('costDetails', 'cost_details'));
  if (Object.keys(details).length > 0)
    return { ...details, ...(details.total === undefined && total !== undefined && { total }) };
  return total === undefined ? undefined : { total };
}

const numbersIn = (object: JsonObject | undefined): Record<string, number> =>
  Object.fromEntries(
    Object.entries<JsonValue>(object ?? {}).flatMap(([name, value]) => {
      const number = parseNumber(value);
      return number === undefined ? [] : [[name, number]];
    }),
  );
