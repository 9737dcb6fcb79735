import { stepColor, toEntry } from './step-color.ts';

/** Type of a step, by a word and a colour. */
export function StepBadge({ type }: { type: string }) {
  const entry = toEntry(type);
  return (
    <span class="step-badge" style={stepColor(type)} title={entry?.label ?? type}>
      {entry?.badge ?? type}
    </span>
  );
}
