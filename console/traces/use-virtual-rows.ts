import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useState } from 'preact/hooks';

export interface VirtualRows {
  /** The rows to draw, with their distance from the top in pixels. */
  readonly rows: readonly { readonly index: number; readonly start: number }[];
  /** The height of all rows. */
  readonly height: number;
  /** The part of that height that is in sight, in shares of it. */
  readonly inSight: { readonly from: number; readonly to: number };
  show(index: number): void;
}

/** Which rows of a long list are in sight of the element that scrolls. All have the same height. */
export function useVirtualRows(scroller: RefObject<HTMLElement>, count: number, rowHeight: number): VirtualRows {
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  const height = virtualizer.getTotalSize();
  const top = virtualizer.scrollOffset ?? 0;
  const bottom = Math.min(top + (virtualizer.scrollRect?.height ?? 0), height);
  return {
    rows: virtualizer.getVirtualItems(),
    height,
    inSight: height === 0 ? { from: 0, to: 1 } : { from: top / height, to: bottom / height },
    show: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}
