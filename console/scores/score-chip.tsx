import { listShownScores, type ScoreInfo, type Scores } from './score.ts';
import { ScoreBadge } from './score-badge.tsx';

interface ScoreChipProps {
  readonly name: string;
  readonly info: ScoreInfo;
  /** Leaves its name to who points at it. */
  readonly bare?: boolean;
}

/** A score with its name, in a few characters. */
export const ScoreChip = ({ name, info, bare = false }: ScoreChipProps) => (
  <ScoreBadge info={info} isChip title={name}>
    {!bare && <span class="score-name">{name} </span>}
  </ScoreBadge>
);

interface ScoreChipsProps {
  readonly scores: Scores;
  readonly max: number;
  readonly bare?: boolean;
}

/** The first few scores and how many there are more. What was not computed, or does not apply, is left out. */
export function ScoreChips({ scores, max, bare = false }: ScoreChipsProps) {
  const told = listShownScores(scores);
  return (
    <>
      {told.slice(0, max).map(([name, info]) => (
        <ScoreChip key={name} name={name} info={info} bare={bare} />
      ))}
      {told.length > max && <span class="score chip">+{told.length - max}</span>}
    </>
  );
}
