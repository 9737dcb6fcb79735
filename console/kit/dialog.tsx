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

/** The browser's own modal dialog: it keeps the focus inside, closes with Escape and gives the focus back. */
export function Dialog({ title, wide = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    ref.current?.showModal();
    ref.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
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
