import { type ScoreItem, z } from '../../core/plugin-sdk/index.ts';

const text = z.string().catch('');
const map = z.record(z.string(), z.unknown()).catch({});

/** Fields of a record that matter to its judge. The host hands over whole records; what is missing reads as empty. */
const SeenRecord = z.object({
  id: text,
  trace_id: text,
  parent_id: z.string().nullable().catch(null),
  type: text,
  name: text,
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  status_code: z.number().nullable().catch(null),
  user_metadata: map,
  dataset_metadata: map,
  tools: z.array(z.unknown()).catch([]),
  model: z.string().nullable().catch(null),
  file_ids: z.array(z.string()).catch([]),
});
export type SeenRecord = z.output<typeof SeenRecord>;

/** A record, what is known around it, and its right answer. */
export interface Sight {
  readonly record: SeenRecord;
  readonly around: readonly SeenRecord[];
  readonly ground_truth?: string;
}

const toRecord = (json: string): SeenRecord => SeenRecord.parse(JSON.parse(json));

/** Items as they are looked at. Those of one trace share what is around them, so it is read once. */
export function toSights(items: readonly ScoreItem[]): Sight[] {
  const read = new Map<readonly string[], readonly SeenRecord[]>();
  return items.map(({ record, around = [], ground_truth }) => {
    const records = read.get(around) ?? around.map(toRecord);
    read.set(around, records);
    return { record: toRecord(record), around: records, ...(ground_truth !== undefined && { ground_truth }) };
  });
}

/** The trace that a record belongs to, as far as the host showed it. */
export function getTraceAround({ record, around }: Sight): SeenRecord | undefined {
  if (record.type === 'trace') return record;
  return around.find(({ type, trace_id, id }) => type === 'trace' && (trace_id || id) === record.trace_id);
}
