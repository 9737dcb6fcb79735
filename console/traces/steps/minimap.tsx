import { useMemo } from 'preact/hooks';
import type { TimeScale } from '../time-scale.ts';
import type { VirtualRows } from '../use-virtual-rows.ts';
import { computeBands } from './minimap-bands.ts';
import type { VisibleStep } from './visible-steps.ts';

/** Share of the width that the shortest band has, so that it is seen. */
const MIN_WIDTH = 0.06;

interface MinimapProps {
  readonly visible: readonly VisibleStep[];
  readonly scale: TimeScale;
  /** The place of the selected row; -1 where it is not among them. */
  readonly place: number;
  readonly inSight: VirtualRows['inSight'];
  /** Asks for the rows around a place, a share of the height of all. */
  readonly onGo: (share: number) => void;
}

/** All rows of a long tree at once, with the failed ones marked. For the pointer: by keys the tree itself is walked through. */
export function Minimap({ visible, scale, place, inSight, onGo }: MinimapProps) {
  const bands = useMemo(() => computeBands(visible, scale), [visible, scale]);
  const go = ({ currentTarget, clientY }: PointerEvent): void => {
    const { top, height } = (currentTarget as HTMLElement).getBoundingClientRect();
    onGo((clientY - top) / height);
  };
  return (
    <div
      class="minimap"
      aria-hidden="true"
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
