import { valueText } from '../kit/formatting.ts';
import type { ShownColumn } from './column.ts';
import { judgesText, scoreState } from './score-state.ts';
import type { ScoreInfo } from './shown-record.ts';

interface ScoreCellProps {
  readonly info: ScoreInfo | undefined;
  readonly column: ShownColumn;
  /** A number of the same name that came with the record. */
  readonly fallback: unknown;
}

/** A score in words and colour, who points at it reads why. Nothing where the scorer does not look. */
export function ScoreCell({ info, column, fallback }: ScoreCellProps) {
  if (!info) return <>{fallback === undefined ? '' : valueText(fallback)}</>;
  const { tone, text, share, detail } = scoreState(info, column.isPercentage);
  const judges = judgesText(info.num_judges);
  return (
    <span
      class={`score ${tone} ${share === undefined ? '' : 'share'}`}
      title={detail || undefined}
      style={share === undefined ? undefined : { '--share': `${share * 100}%` }}
    >
      {text}
      {judges && <span class="judges"> {judges}</span>}
    </span>
  );
}
