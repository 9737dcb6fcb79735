import type { JsonValue } from '../../../core/kernel/json.ts';
import { isJsonObject } from '../../../core/plugin-sdk/otel/index.ts';
import { toTraceId } from '../record-ids.ts';
import type { Imported } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

/** Sums over observations, which the service adds up itself, and facts of the other installation. */
const REPEATED = [
  ...['htmlPath', 'html_path', 'latency', 'totalCost', 'total_cost', 'observations', 'scores', 'createdAt', 'created_at'],
  ...['updatedAt', 'updated_at', 'projectId', 'project_id', 'externalId', 'external_id', 'inputCost', 'outputCost', 'usage'],
  ...['observationCount', 'usageDetails', 'costDetails', 'promptTokens', 'completionTokens', 'totalTokens', 'level'],
  ...['inputTokens', 'outputTokens', 'errorCount', 'warningCount', 'defaultCount', 'debugCount', 'calculatedTotalCost'],
];
const FLAGS = ['bookmarked', 'public'];

/** A trace without its observations, which are rows of their own. */
export function toTraceFacts(row: SourceRow): readonly Imported[] | undefined {
  const source_id = row.text('id');
  if (source_id === undefined) return undefined;
  const metadata = row.structured('metadata');
  const kept: Record<string, JsonValue> = isJsonObject(metadata) ? { ...metadata } : metadata === undefined ? {} : { metadata };
  for (const name of ['release', 'version', 'environment']) {
    const value = row.value(name);
    if (value !== undefined) kept[name] = value;
  }
  for (const flag of FLAGS) if (row.flag(flag) === true) kept[`langfuse.${flag}`] = true;
  const facts = {
    name: row.text('name'),
    start: row.time('timestamp'),
    input: row.value('input'),
    output: row.value('output'),
    tags: row.texts('tags'),
    session: row.text('sessionId', 'session_id'),
    user_id: row.text('userId', 'user_id'),
  };
  row.skip(...REPEATED);
  for (const [name, value] of row.rest()) kept[`langfuse.${name}`] = value;
  return [{ kind: 'trace', trace_id: toTraceId('langfuse', source_id), source_id, ...facts, metadata: kept }];
}
