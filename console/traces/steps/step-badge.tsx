import { entryOf, stepColor } from './step-color.ts';

/** What kind of step it is, by a word and a colour. */
export function StepBadge({ type }: { type: string }) {
  const entry = entryOf(type);
  return (
    <span class="step-badge" style={stepColor(type)} title={entry?.label ?? type}>
      {entry?.badge ?? type}
    </span>
  );
}
