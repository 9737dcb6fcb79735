import type { JsonObject } from '../kernel/json.ts';
import { type CommonValues, ownField } from './catalogue/record-fields.ts';
import { ownFieldsOf } from './catalogue/span-types.ts';

/** One trace or span as it is kept: the fields of every record, and those that only its type has. */
export type LogRecord = CommonValues & { readonly attributes: JsonObject };

/** A record as the API shows it. */
export type RecordView = Omit<LogRecord, 'attributes'> & { readonly [attribute: string]: unknown };

export function toRecordView({ attributes, ...record }: LogRecord): RecordView {
  const own = Object.fromEntries(
    ownFieldsOf(record.type).map((name) => [name, attributes[name] ?? (ownField(name).kind === 'texts' ? [] : null)]),
  );
  return { ...record, ...own };
}

export interface RecordTree {
  readonly spans: RecordTree[];
  readonly [field: string]: unknown;
}

/** Deeper spans hang under the last level shown; their `parent_id` still tells the truth. */
const MAX_TREE_DEPTH = 200;

/**
 * The record `rootId` with its descendants nested under `spans`, oldest first. Below a trace nothing is hidden: spans
 * whose parent has not arrived, or that are their own ancestors, hang right under it. Undefined when `rootId` is not
 * among the records.
 */
export function computeTree(rootId: string, records: readonly RecordView[]): RecordTree | undefined {
  const root = records.find(({ id }) => id === rootId);
  if (!root) return undefined;
  const nodes = new Map<string, RecordTree>(records.map((record) => [record.id, { ...record, spans: [] }]));
  const rest = records.filter(({ id }) => id !== rootId);
  const children = Map.groupBy(rest, ({ parent_id }) => (parent_id !== null && nodes.has(parent_id) ? parent_id : root.trace_id));
  const depths = new Map<string, number>([[rootId, 0]]);
  const order = [rootId];
  let at = 0;
  const hang = (id: string, under: string): void => {
    const depth = depths.get(under)!;
    const shelf = depth < MAX_TREE_DEPTH ? under : rootId;
    depths.set(id, depths.get(shelf)! + 1);
    nodes.get(shelf)!.spans.push(nodes.get(id)!);
    order.push(id);
  };
  const walk = (): void => {
    for (; at < order.length; at += 1) {
      const id = order[at]!;
      for (const child of children.get(id) ?? []) if (!depths.has(child.id)) hang(child.id, id);
    }
  };
  walk();
  for (const { id } of root.type === 'trace' ? rest : []) {
    if (depths.has(id)) continue;
    hang(id, rootId);
    walk();
  }
  return nodes.get(rootId);
}

/** A record with all that stands below it, as `computeTree` hangs it there, in the order given; of a trace every record. */
export function subtreeOf(rootId: string, records: readonly LogRecord[]): readonly LogRecord[] {
  if (records.some(({ id, type }) => id === rootId && type === 'trace')) return records;
  const children = Map.groupBy(records, ({ parent_id }) => parent_id);
  const reached = new Set([rootId]);
  for (const id of reached) for (const child of children.get(id) ?? []) reached.add(child.id);
  return records.filter(({ id }) => reached.has(id));
}
