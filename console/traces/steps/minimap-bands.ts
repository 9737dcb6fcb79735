import { placeOn, type TimeScale } from '../time-scale.ts';
import type { VisibleStep } from './visible-steps.ts';

/** From so many rows on, a tree has a minimap beside it: fewer are scrolled through soon. */
export const MINIMAP_FROM = 1000;

/** Bands of the map; more than these nobody could tell apart, or draw in no time. */
const MAX_BANDS = 240;

/** Some rows of the tree that follow each other, drawn as one: from the first start to the last end, in shares of the time of the trace. */
export interface Band {
  readonly left: number;
  readonly width: number;
  readonly failed: boolean;
}

/** The rows of a tree in at most `MAX_BANDS` bands, from the top. */
export function computeBands(visible: readonly VisibleStep[], scale: TimeScale): readonly Band[] {
  const count = Math.min(MAX_BANDS, visible.length);
  return Array.from({ length: count }, (_, band) => {
    let [left, right, failed] = [1, 0, false];
    const end = Math.floor(((band + 1) * visible.length) / count);
    for (let at = Math.floor((band * visible.length) / count); at < end; at += 1) {
      const { step, matched } = visible[at]!;
      const place = placeOn(scale, step);
      left = Math.min(left, place.left);
      right = Math.max(right, place.left + place.width);
      // A row that is shown only for a failed step below it is none itself.
      failed ||= step.failed && matched;
    }
    return { left, width: Math.max(right - left, 0), failed };
  });
}
