import { clipped, costText, durationText, numberText, valueText } from '../kit/formatting.ts';
import { Time } from '../kit/time.tsx';
import type { ShownColumn } from './column.ts';
import { payloadText } from './payload-text.ts';
import { ratingsText } from './ratings-text.ts';
import { ScoreCell } from './score-cell.tsx';
import { findScore, type ShownRecord, toOwnValue } from './shown-record.ts';
import { StatusCell } from './status-cell.tsx';

/** A record's value in a column. */
export function RecordCell({ record, column }: { record: ShownRecord; column: ShownColumn }) {
  const { id, kind } = column;
  const value = toOwnValue(record, id);
  if (kind === 'score') return <ScoreCell info={findScore(record, id)} column={column} fallback={value} />;
  if (kind === 'status') return <StatusCell code={value} isComplete={record.is_complete} />;
  if (kind === 'payload') return <div class="clip">{payloadText(value)}</div>;
  if (kind === 'ratings') return <>{ratingsText(record)}</>;
  if (kind === 'moment') return <Time at={typeof value === 'string' ? value : undefined} />;
  if (typeof value === 'number') return <>{numeric[kind]?.(value) ?? numberText(value)}</>;
  if (Array.isArray(value)) return <Tags tags={value.map(String)} />;
  return <div class="clip">{value === undefined ? '' : clipped(valueText(value))}</div>;
}

const numeric: Partial<Record<ShownColumn['kind'], (value: number) => string>> = { duration: durationText, cost: costText };

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <>
    {tags.map((tag) => (
      <span class="badge text-bg-secondary me-1" key={tag}>
        {tag}
      </span>
    ))}
  </>
);
