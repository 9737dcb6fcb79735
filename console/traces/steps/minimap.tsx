import { useMemo } from 'preact/hooks';
import { numberText } from '../../kit/formatting.ts';
import type { TimeScale } from '../time-scale.ts';
import type { VirtualRows } from '../use-virtual-rows.ts';
import { computeBands } from './minimap-bands.ts';
import { computeRowsInSight, toScroll } from './minimap-keys.ts';
import type { VisibleStep } from './visible-steps.ts';

/** Share of the width that the shortest band has, so that it is seen. */
const MIN_WIDTH = 0.06;

interface MinimapProps {
  readonly visible: readonly VisibleStep[];
  readonly scale: TimeScale;
  /** The place of the selected row; -1 where it is not among them. */
  readonly place: number;
  readonly inSight: VirtualRows['inSight'];
  /** The id of the element with the rows. */
  readonly controls: string;
  /** Scrolls so that this share of the height of all rows is above the sight. */
  readonly onGo: (above: number) => void;
  /** Selects the row at a place. */
  readonly onPick: (place: number) => void;
}

/** All rows of a long tree at once, with the failed ones marked: a scroll bar, for the pointer and for keys. */
export function Minimap({ visible, scale, place, inSight, controls, onGo, onPick }: MinimapProps) {
  const bands = useMemo(() => computeBands(visible, scale), [visible, scale]);
  const { first, last } = computeRowsInSight(inSight, visible.length);
  const go = ({ currentTarget, clientY }: PointerEvent): void => {
    const { top, height } = (currentTarget as HTMLElement).getBoundingClientRect();
    onGo((clientY - top) / height - (inSight.to - inSight.from) / 2);
  };
  const press = (event: KeyboardEvent): void => {
    const isPick = event.key === 'Enter' || event.key === ' ';
    const above = toScroll(event.key, inSight);
    if (!isPick && above === undefined) return;
    event.preventDefault();
    if (isPick) onPick(first);
    else onGo(above!);
  };
  return (
    <div
      class="minimap"
      role="scrollbar"
      tabIndex={0}
      aria-label="Minimap of the spans"
      aria-orientation="vertical"
      aria-controls={controls}
      aria-valuemin={1}
      aria-valuemax={visible.length}
      aria-valuenow={first + 1}
      aria-valuetext={`Spans ${numberText(first + 1)} to ${numberText(last + 1)} of ${numberText(visible.length)}, from ${visible[first]?.step.record.name || 'unnamed'}`}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && go(event)}
    >
      <svg aria-hidden="true" viewBox={`0 0 1 ${bands.length}`} preserveAspectRatio="none">
        {bands.map(({ left, width, failed }, at) => (
          <rect
            key={at}
            class={failed ? 'failed' : undefined}
            x={Math.min(left, 1 - MIN_WIDTH)}
            y={at}
            width={Math.max(width, MIN_WIDTH)}
            height={1}
          />
        ))}
      </svg>
      <span class="minimap-sight" style={{ top: `${inSight.from * 100}%`, height: `${(inSight.to - inSight.from) * 100}%` }} />
      {place >= 0 && <span class="minimap-selected" style={{ top: `${(place / visible.length) * 100}%` }} />}
    </div>
  );
}
