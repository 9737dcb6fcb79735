import { valueText } from '../kit/formatting.ts';
import type { ScoreInfo } from '../scores/score.ts';
import { ScoreBadge } from '../scores/score-badge.tsx';
import { judgesText } from '../scores/score-state.ts';
import type { ShownColumn } from './column.ts';

interface ScoreCellProps {
  readonly info: ScoreInfo | undefined;
  readonly column: ShownColumn;
  /** A number of the same name that came with the record. */
  readonly fallback: unknown;
}

/** A scorer's result for a record. Nothing where the scorer does not look. */
export function ScoreCell({ info, column, fallback }: ScoreCellProps) {
  if (!info) return <>{fallback === undefined ? '' : valueText(fallback)}</>;
  const judges = judgesText(info.num_judges);
  return (
    <>
      <ScoreBadge info={info} isPercentage={column.isPercentage} />
      {judges && <span class="judges"> {judges}</span>}
    </>
  );
}
