import { useState } from 'preact/hooks';
import type { Retention, RetentionPreview } from '../../core/traces/retention/retention.ts';
import { get, post, put } from '../api/client.ts';
import { Field } from '../kit/field.tsx';
import { numberText } from '../kit/formatting.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { SettingsForm } from '../settings/settings-form.tsx';

interface RetentionFormProps {
  /** Where the rule is: a project's, or that of a log stream. */
  readonly path: string;
  readonly mayChange: boolean;
}

/** For how many days traces are kept, and what the rule that holds would remove now. */
export function RetentionForm({ path, mayChange }: RetentionFormProps) {
  const loaded = useLoaded(path, (signal) => get<Retention>(path, { signal }));
  return (
    <Show loaded={loaded}>
      {({ days }) => (
        <SettingsForm
          title="Retention"
          mayChange={mayChange}
          onSubmit={async (values) => {
            await put(path, { days: Number(values.get('days')) || null });
            loaded.reload();
          }}
        >
          <Field label="Retention (days)" help="Empty: keep forever. Counted from the start of a trace.">
            {(id) => (
              <input class="form-control w-auto" id={id} name="days" type="number" min={1} max={3650} defaultValue={days ?? ''} />
            )}
          </Field>
          {days !== null && <DryRun path={path} />}
        </SettingsForm>
      )}
    </Show>
  );
}

function DryRun({ path }: { path: string }) {
  const [preview, setPreview] = useState<RetentionPreview>();
  const run = useAction(async () => setPreview(await post<RetentionPreview>(`${path}/dry_run`)));
  return (
    <p>
      <button type="button" class="btn btn-sm btn-outline-secondary me-2" disabled={run.busy} onClick={() => void run.run()}>
        What would be removed now?
      </button>
      <span role="status">
        {preview &&
          `${numberText(preview.traces)} traces, ${numberText(preview.spans)} spans, ${numberText(preview.sessions)} sessions`}
      </span>
      <Failure error={run.error} />
    </p>
  );
}
