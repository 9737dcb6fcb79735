import { clipped, costText, durationText, numberText, valueText } from '../kit/formatting.ts';
import { unmarked } from '../kit/markdown/unmarked.ts';
import { Time } from '../kit/time.tsx';
import type { ScoreInfo } from '../scores/score.ts';
import { ScoreBadge } from '../scores/score-badge.tsx';
import { judgesText } from '../scores/score-state.ts';
import type { ShownColumn } from './column.ts';
import { payloadText } from './payload-text.ts';
import { ratingsText } from './ratings-text.ts';
import { findScore, type ShownRecord, toOwnValue } from './shown-record.ts';

/** A record's value in a column. */
export function RecordCell({ record, column }: { record: ShownRecord; column: ShownColumn }) {
  const { id, kind } = column;
  const value = toOwnValue(record, id);
  if (kind === 'score') return <ScoreCell info={findScore(record, id)} column={column} fallback={value} />;
  if (kind === 'status') return <StatusCell code={value} isComplete={record.is_complete} />;
  if (kind === 'payload')
    return (
      <div class="clip" dir="auto">
        {unmarked(payloadText(value))}
      </div>
    );
  if (kind === 'ratings') return <>{ratingsText(record)}</>;
  if (kind === 'moment') return <Time at={typeof value === 'string' ? value : undefined} />;
  if (typeof value === 'number') return <>{numeric[kind]?.(value) ?? numberText(value)}</>;
  if (Array.isArray(value)) return <Tags tags={value.map(String)} />;
  return (
    <div class="clip" dir="auto">
      {value === undefined ? '' : clipped(valueText(value))}
    </div>
  );
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

interface ScoreCellProps {
  readonly info: ScoreInfo | undefined;
  readonly column: ShownColumn;
  /** A number of the same name that came with the record. */
  readonly fallback: unknown;
}

/** A scorer's result for a record. Nothing where the scorer does not look. */
function ScoreCell({ info, column, fallback }: ScoreCellProps) {
  if (!info) return <>{fallback === undefined ? '' : valueText(fallback)}</>;
  const judges = judgesText(info.num_judges);
  return (
    <>
      <ScoreBadge info={info} isPercentage={column.isPercentage} />
      {judges && <span class="judges"> {judges}</span>}
    </>
  );
}

const FIRST_ERROR = 400;

/** The status a step ended with, or that it has not: errors are marked by a sign and colour. */
function StatusCell({ code, isComplete }: { code: unknown; isComplete: boolean | undefined }) {
  const isError = typeof code === 'number' && code >= FIRST_ERROR;
  if (isError) return <span class="score bad">⚠ {code}</span>;
  if (isComplete === false) return <span class="score waiting">… running</span>;
  return <>{typeof code === 'number' ? code : ''}</>;
}
