import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The browser itself would take the button that closes the dialog. Without a field it is what changes nothing. */
const FIRST_FIELD = ':is(input:not([type=hidden]), select, textarea, footer button):not(:disabled)';

/** The element that had the focus last. A button that is disabled while it works has it no more when its dialog opens. */
let lastFocused: HTMLElement | null = null;
addEventListener('focusin', ({ target }) => {
  lastFocused = target as HTMLElement;
});

/** The browser's own modal dialog: it keeps the focus inside, closes with Escape and gives the focus back. */
export function Dialog({ title, wide = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = ref.current!;
    const opener = lastFocused;
    dialog.showModal();
    const end = keepFirstFocused(dialog);
    return () => {
      end();
      // Once it is gone from the page. A dialog that is taken away, or whose opener is disabled, gives the focus to nothing.
      queueMicrotask(() => {
        if (document.activeElement === document.body) opener?.focus();
      });
    };
  }, []);
  return (
    <dialog ref={ref} class={wide ? 'wide' : undefined} aria-labelledby={heading} onClose={onClose}>
      <header class="d-flex align-items-center justify-content-between mb-3">
        <h2 class="h5 mb-0" id={heading} dir="auto">
          {title}
        </h2>
        <button type="button" class="btn-close" aria-label="Close" onClick={() => ref.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}

/** Focuses the first field, and again the one that comes before it later: fields may have to be loaded. Whoever goes on by hand ends it. */
function keepFirstFocused(dialog: HTMLDialogElement): () => void {
  let first: HTMLElement | null = null;
  const focus = (): void => {
    const isLeft = first !== null && document.activeElement !== first && dialog.contains(first);
    if (isLeft) watching.disconnect();
    const found = dialog.querySelector<HTMLElement>(FIRST_FIELD);
    if (isLeft || found === first) return;
    first = found;
    first?.focus();
  };
  const watching = new MutationObserver(focus);
  watching.observe(dialog, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  const end = (): void => watching.disconnect();
  dialog.addEventListener('input', end, { once: true });
  dialog.addEventListener('pointerdown', end, { once: true });
  focus();
  return end;
}
