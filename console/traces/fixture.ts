import type { JsonObject, JsonValue } from '../../core/kernel/json.ts';

/**
 * Fields that the service sets or derives: where the record lies, what was said of it since, and its files, which are those of its project.
 * Without ids the same fixture can be loaded more than once.
 */
const OF_THE_SERVICE: ReadonlySet<string> = new Set([
  ...['id', 'project_id', 'run_id', 'trace_id', 'parent_id', 'session_id', 'updated_at', 'is_complete', 'has_children'],
  ...['metric_info', 'feedback_rating_info', 'annotations', 'annotation_aggregates', 'annotation_truths', 'num_comments'],
  ...['files', 'file_ids', 'file_modalities'],
]);

/** A trace or span with all that stands below it as it would be sent, for a test to load. Fields without a value are left out. */
export function toFixture(record: object): string {
  const root: JsonObject = {};
  const open: [from: object, to: Record<string, JsonValue>][] = [[record, root]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [from, to] = next;
    const { spans = [], ...fields } = from as { readonly spans?: readonly object[]; readonly [field: string]: unknown };
    for (const [name, value] of Object.entries(fields))
      if (!OF_THE_SERVICE.has(name) && !isBlank(value)) to[name] = value as JsonValue;
    if (spans.length > 0)
      to.spans = spans.map((span) => {
        const sent: Record<string, JsonValue> = {};
        open.push([span, sent]);
        return sent;
      });
  }
  return JSON.stringify(root, null, 2);
}

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);
