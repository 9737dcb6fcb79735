import type { Step } from './arrangement.ts';

interface MoveButtonsProps {
  readonly what: string;
  readonly canUp: boolean;
  readonly canDown: boolean;
  readonly busy: boolean;
  readonly onMove: (step: Step) => Promise<void>;
}

/** One place on, for the keyboard and the mouse alike. */
export const MoveButtons = ({ what, canUp, canDown, busy, onMove }: MoveButtonsProps) => (
  <fieldset class="btn-group btn-group-sm" aria-label={`Move ${what}`}>
    <button
      type="button"
      class="btn btn-outline-secondary"
      aria-label={`Move ${what} up`}
      aria-disabled={!canUp || busy}
      onClick={() => canUp && void onMove(-1)}
    >
      ↑
    </button>
    <button
      type="button"
      class="btn btn-outline-secondary"
      aria-label={`Move ${what} down`}
      aria-disabled={!canDown || busy}
      onClick={() => canDown && void onMove(1)}
    >
      ↓
    </button>
  </fieldset>
);
