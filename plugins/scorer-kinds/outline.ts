import { payloadText } from './payload-text.ts';
import type { SeenRecord } from './seen-record.ts';

/**
 * Records as lines, in their order: depth, type and name, and below them input, output and status. A record whose parent
 * is not among them is of depth 0, so a subtree starts at its own root. Further lines of a text stand further in, so that no
 * text can pass for a record.
 */
export function outline(records: readonly SeenRecord[]): string {
  const depths = new Map<string, number>();
  return records
    .map((record) => {
      const above = record.parent_id === null ? undefined : depths.get(record.parent_id);
      const depth = above === undefined ? 0 : above + 1;
      depths.set(record.id, depth);
      return toLines(record, depth);
    })
    .join('\n');
}

/** A record with all that is below it; `records` have parents before children. */
export function subtree(root: SeenRecord, records: readonly SeenRecord[]): SeenRecord[] {
  const inside = new Set([root.id]);
  const below = records.filter(({ id, parent_id }) => {
    if (parent_id === null || !inside.has(parent_id)) return false;
    inside.add(id);
    return true;
  });
  return [root, ...below.filter(({ id }) => id !== root.id)];
}

function toLines(record: SeenRecord, depth: number): string {
  const { type, name, input, output, status_code } = record;
  const title = name === '' || name === type ? type : `${type} "${name}"`;
  const fields = [
    ['input', payloadText(input)],
    ['output', payloadText(output)],
    ['status', status_code === null ? undefined : String(status_code)],
  ].filter(([, text]) => text !== undefined);
  return indented(
    [`[${depth}] ${title}`, ...fields.map(([field, text]) => `  ${field}: ${text?.replaceAll('\n', '\n    ')}`)].join('\n'),
    depth,
  );
}

const indented = (text: string, depth: number): string => {
  const space = '  '.repeat(Math.min(depth, 20));
  return space + text.replaceAll('\n', `\n${space}`);
};
