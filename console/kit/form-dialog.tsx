import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';
import { Failure } from './notices.tsx';
import { useAction } from './use-action.ts';

interface FormDialogProps {
  readonly title: string;
  /** Label of the submit button. */
  readonly verb: string;
  readonly danger?: boolean;
  readonly wide?: boolean;
  readonly onClose: () => void;
  /** A rejection is shown and leaves the dialog open. */
  readonly onSubmit: (values: FormData) => Promise<unknown>;
  readonly children?: ComponentChildren;
}

/** A dialog with a form whose fields arrive by their names. */
export function FormDialog({ title, verb, danger, wide, onClose, onSubmit, children }: FormDialogProps) {
  const submit = useAction(async (values: FormData) => {
    await onSubmit(values);
    onClose();
  });
  return (
    <Dialog title={title} {...(wide ? { wide } : {})} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit.run(new FormData(event.currentTarget));
        }}
      >
        {children}
        <Failure error={submit.error} />
        <footer class="d-flex justify-content-end gap-2 mt-3">
          <button type="button" class="btn btn-outline-secondary" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={`btn ${danger ? 'btn-danger' : 'btn-primary'}`} disabled={submit.busy}>
            {verb}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
