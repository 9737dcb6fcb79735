import { type Metric, type MetricInfo, scoreText, toldOf } from './score-text.ts';

const TONES: Readonly<Record<string, string>> = { error: 'bad', failed: 'bad', pending: 'open', not_computed: 'open' };
const toneOf = ({ status_type }: Metric): string => TONES[String(status_type)] ?? 'plain';

/** A score in a few characters; `bare` leaves its name to who points at it. */
export const ScoreChip = ({ name, metric, bare = false }: { name: string; metric: Metric; bare?: boolean }) => (
  <span class={`score-chip score-${toneOf(metric)}`} title={`${name}: ${scoreText(metric)}`}>
    {!bare && <span class="score-name">{name}</span>} {scoreText(metric)}
  </span>
);

/** The first few scores and how many there are more. What was not computed, or does not apply, is left out. */
export function ScoreChips({ info, max, bare = false }: { info: MetricInfo; max: number; bare?: boolean }) {
  const told = toldOf(info);
  return (
    <>
      {told.slice(0, max).map(([name, metric]) => (
        <ScoreChip key={name} name={name} metric={metric} bare={bare} />
      ))}
      {told.length > max && <span class="score-chip score-plain">+{told.length - max}</span>}
    </>
  );
}
