import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface TableProps {
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A table that scrolls by itself where it is wider than its place, so that the page never has to: by the pointer, and by keys. */
export function Table({ class: classes, children }: TableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const observer = new ResizeObserver(() => setWide(current.scrollWidth > current.clientWidth));
    observer.observe(current);
    observer.observe(current.firstElementChild!);
    return () => observer.disconnect();
  }, []);
  const reached = isWide ? ({ tabIndex: 0, role: 'group', 'aria-label': 'Table' } as const) : {};
  return (
    <div ref={scroller} class="table-scroll" {...reached}>
      <table class={classes}>{children}</table>
    </div>
  );
}
