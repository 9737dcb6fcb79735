import { useId, useState } from 'preact/hooks';
import { Failure } from '../../kit/notices.tsx';
import { useAction } from '../../kit/use-action.ts';

interface CommentFormProps {
  readonly label: string;
  /** Of the submit button. */
  readonly verb: string;
  readonly text?: string;
  /** A rejection is shown and leaves the text where it is. */
  readonly onSubmit: (text: string) => Promise<void>;
  readonly onCancel?: () => void;
}

export function CommentForm({ label, verb, text = '', onSubmit, onCancel }: CommentFormProps) {
  const [value, setValue] = useState(text);
  const field = useId();
  const submit = useAction(async () => {
    await onSubmit(value);
    setValue('');
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit.run();
      }}
    >
      <label class="form-label small mb-1" for={field}>
        {label}
      </label>
      <textarea
        id={field}
        class="form-control form-control-sm mb-2"
        rows={3}
        maxLength={4000}
        dir="auto"
        value={value}
        onInput={(event) => setValue(event.currentTarget.value)}
      />
      <Failure error={submit.error} />
      <div class="d-flex gap-2">
        <button type="submit" class="btn btn-sm btn-primary" disabled={submit.busy || value.trim() === ''}>
          {verb}
        </button>
        {onCancel && (
          <button type="button" class="btn btn-sm btn-outline-secondary" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}
