import { computeDigest, type Sha256 } from '../../kernel/digest.ts';
import { sortableTime } from '../../kernel/timestamp.ts';
import type { Scoreable } from '../../scores/metric-settings.ts';
import { type LogRecord, toRecordView } from '../../traces/record.ts';
import { type Session, toSessionView } from '../../traces/sessions/session.ts';

/** Something that is judged, with what lies around it: a record of a trace, or a session. */
export interface Subject {
  readonly record: Scoreable;
  /** Changes when the subject itself does. */
  readonly state: string;
  /** As the API shows it. */
  text(): string;
  readonly surroundings: Surrounding;
  /** Ground truth that the dataset row of the record, or of its trace, names. */
  readonly ground_truth: string | null;
}

/** Records that are handed along as they are, each once however many subjects they surround. */
export interface Surrounding {
  texts(): readonly string[];
  /** Of all records in it: changes when one of them does, or is added. */
  state(): string;
}

/** The records of one trace, the trace first. */
export function subjectsOfTrace(records: readonly LogRecord[], sha256: Sha256): Subject[] {
  const surroundings = toSurrounding([records], sha256);
  const trace = records[0];
  return records.map((record) => ({
    record,
    state: record.updated_at,
    text: () => toText(record),
    surroundings,
    ground_truth: record.dataset_output ?? trace?.dataset_output ?? null,
  }));
}

/** `traces` in the order of the session, each with its records. */
export function subjectOfSession(session: Session, traces: readonly (readonly LogRecord[])[], sha256: Sha256): Subject {
  const surroundings = toSurrounding(traces, sha256);
  return {
    record: { id: session.id, type: 'session', name: session.name ?? '', user_metadata: session.user_metadata },
    state: `${session.updated_at} ${surroundings.state()}`,
    text: () => JSON.stringify(toSessionView(session, true)),
    surroundings,
    ground_truth: traces.findLast(([trace]) => trace?.dataset_output)?.[0]?.dataset_output ?? null,
  };
}

/** State of a subject by which a change since its score is detected. */
export const getScoredState = ({ state, surroundings }: Subject, looksAround: boolean): string =>
  looksAround ? `${state} ${surroundings.state()}` : state;

const toText = (record: LogRecord): string => JSON.stringify(toRecordView(record));

function toSurrounding(traces: readonly (readonly LogRecord[])[], sha256: Sha256): Surrounding {
  let texts: readonly string[] | undefined;
  let state: string | undefined;
  return {
    texts: () => {
      texts ??= traces.flatMap(parentsFirst).map(toText);
      return texts;
    },
    state: () => {
      state ??= computeDigest(toLines(traces.flat()), sha256);
      return state;
    },
  };
}

const toLines = (records: readonly LogRecord[]): string =>
  records
    .map(({ id, updated_at }) => `${id} ${updated_at}`)
    .toSorted()
    .join('\n');

/** A trace, then its spans by start, none before its parent. A span whose parent is not there, or is itself, goes by its start. */
export function parentsFirst(records: readonly LogRecord[]): LogRecord[] {
  const waiting = new Map(records.map((record) => [record.id, record]));
  const ordered: LogRecord[] = [];
  for (const record of records.toSorted(byStart)) {
    const line: LogRecord[] = [];
    for (let next: LogRecord | undefined = record; next && waiting.delete(next.id); next = waiting.get(next.parent_id ?? ''))
      line.push(next);
    ordered.push(...line.toReversed());
  }
  return ordered;
}

const getStart = ({ type, created_at }: LogRecord): string => `${type === 'trace' ? 0 : 1} ${sortableTime(created_at)}`;
const byStart = (a: LogRecord, b: LogRecord): number => (getStart(a) < getStart(b) ? -1 : Number(getStart(a) > getStart(b)));
