import type { ComponentChildren } from 'preact';
import '../styles/scores.css';
import type { ScoreInfo } from './score.ts';
import { scoreState } from './score-state.ts';

interface ScoreBadgeProps {
  readonly info: ScoreInfo;
  readonly isPercentage?: boolean;
  /** Set off from what stands beside it. */
  readonly isChip?: boolean;
  /** For who points at it, above who judged and why. */
  readonly title?: string;
  /** Stands before the score. */
  readonly children?: ComponentChildren;
}

/** A score in words and colour; who points at it reads why. */
export function ScoreBadge({ info, isPercentage = false, isChip = false, title, children }: ScoreBadgeProps) {
  const { tone, text, share, detail } = scoreState(info, isPercentage);
  const classes = ['score', tone, share !== undefined && 'share', isChip && 'chip'];
  return (
    <span
      class={classes.filter(Boolean).join(' ')}
      title={[title && `${title}: ${text}`, detail].filter(Boolean).join('\n') || undefined}
      style={share === undefined ? undefined : { '--share': `${share * 100}%` }}
    >
      {children}
      {text}
    </span>
  );
}
