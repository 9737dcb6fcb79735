import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';

interface SettingsFormProps {
  readonly title: string;
  /** Else it is shown and cannot be changed. */
  readonly mayChange: boolean;
  readonly onSubmit: (values: FormData) => Promise<unknown>;
  readonly children: ComponentChildren;
}

/** Settings that stand in the page and are saved together; says so when they are. */
export function SettingsForm({ title, mayChange, onSubmit, children }: SettingsFormProps) {
  const heading = useId();
  const [saved, setSaved] = useState(false);
  const submit = useAction(async (values: FormData) => {
    setSaved(false);
    await onSubmit(values);
    setSaved(true);
  });
  return (
    <form
      class="mb-4"
      aria-labelledby={heading}
      onInput={() => setSaved(false)}
      onSubmit={(event) => {
        event.preventDefault();
        void submit.run(new FormData(event.currentTarget));
      }}
    >
      <h2 class="h6" id={heading}>
        {title}
      </h2>
      <fieldset disabled={!mayChange} aria-labelledby={heading}>
        {children}
        <Failure error={submit.error} />
        {mayChange && (
          <button type="submit" class="btn btn-sm btn-primary" disabled={submit.busy}>
            Save
          </button>
        )}
        <span class="ms-2 text-body-secondary" role="status">
          {saved && 'Saved.'}
        </span>
      </fieldset>
    </form>
  );
}
