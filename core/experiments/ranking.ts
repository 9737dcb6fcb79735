import { isMeasured } from './run-totals.ts';

export interface Contender {
  readonly run_id: string;
  /** Null: ranked against nobody. */
  readonly dataset_id: string | null;
  readonly averages: Readonly<Record<string, number>>;
}

export interface Standing {
  readonly ranking_score: number | null;
  readonly rank: number | null;
  readonly winner: boolean | null;
}

const UNRANKED: Standing = { ranking_score: null, rank: null, winner: null };

/**
 * Where experiments stand among those that went through the same dataset and were judged by the same metrics. The score is the
 * mean of the averages that lie between 0 and 1, all of which count alike, the more the better; equal scores share a rank. A
 * winner has the first rank alone, before at least one other.
 */
export function ranked(contenders: readonly Contender[]): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  const scored = contenders.flatMap((one) => {
    const judged = judgedIn(one);
    return one.dataset_id === null || judged.length === 0 ? [] : [{ ...one, judged, score: computeMean(judged) }];
  });
  const groups = Map.groupBy(scored, ({ dataset_id, judged }) => JSON.stringify([dataset_id, judged.map(([name]) => name)]));
  for (const group of groups.values()) {
    const shares = Map.groupBy(
      group.toSorted((a, b) => b.score - a.score),
      ({ score }) => score,
    );
    let rank = 1;
    for (const [score, share] of shares) {
      const winner = rank === 1 && share.length === 1 && group.length > 1;
      for (const { run_id } of share) standings.set(run_id, { ranking_score: score, rank, winner });
      rank += share.length;
    }
  }
  for (const { run_id } of contenders) if (!standings.has(run_id)) standings.set(run_id, UNRANKED);
  return standings;
}

type Judged = readonly (readonly [name: string, average: number])[];

const judgedIn = ({ averages }: Contender): Judged =>
  Object.entries(averages)
    .filter(([name, average]) => !isMeasured(name) && name !== 'error_rate' && average >= 0 && average <= 1)
    .sort(([a], [b]) => (a < b ? -1 : 1));

const computeMean = (judged: Judged): number => judged.reduce((sum, [, average]) => sum + average, 0) / judged.length;
