import { useState } from 'preact/hooks';
import { FormDialog } from './form-dialog.tsx';

interface ConfirmButtonProps {
  readonly label: string;
  readonly question: string;
  /** As a word, not as a box: for lists that have one in each row. */
  readonly quiet?: boolean;
  readonly onConfirm: () => Promise<unknown>;
}

/** A button for what cannot be taken back: asks first. */
export function ConfirmButton({ label, question, quiet = false, onConfirm }: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        class={`btn btn-sm ${quiet ? 'btn-link p-0 text-decoration-none' : 'btn-outline-danger'}`}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        {label}
      </button>
      {asking && (
        <FormDialog title={label} verb={label} danger onClose={() => setAsking(false)} onSubmit={onConfirm}>
          <p class="mb-0">{question}</p>
        </FormDialog>
      )}
    </>
  );
}
