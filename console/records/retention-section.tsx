import type { Retention, RetentionPreview } from '../../core/traces/retention/retention.ts';
import { get, post, put } from '../api/client.ts';
import { TextField } from '../kit/field.tsx';
import { numberText } from '../kit/formatting.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';

const daysText = (days: number | null): string =>
  days === null ? 'forever' : `for ${numberText(days)} ${days === 1 ? 'day' : 'days'}`;

/** For how long traces are kept. What a rule would remove now is counted for the rule that holds. */
export function RetentionSection({ path }: { path: string }) {
  const loaded = useLoaded(`retention of ${path}`, (signal) => get<Retention>(`${path}/retention`, { signal }));
  const preview = useLoaded(`retention preview of ${path}`, (signal) =>
    post<RetentionPreview>(`${path}/retention/dry_run`, undefined, { signal }),
  );
  const save = useAction(async (values: FormData) => {
    const typed = String(values.get('days') ?? '').trim();
    await put<Retention>(`${path}/retention`, { days: typed === '' ? null : Number(typed) });
    loaded.reload();
    preview.reload();
  });
  return (
    <section>
      <h2 class="h6">Retention</h2>
      <Show loaded={loaded}>
        {({ days, effective_days }) => (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void save.run(new FormData(event.currentTarget));
            }}
          >
            <p>
              Traces are kept {daysText(effective_days)}
              {days === null ? ', inherited from the project.' : ', by the rule of this log stream.'}{' '}
              {preview.value && effective_days !== null && <PreviewText preview={preview.value} />}
            </p>
            <TextField
              key={days}
              label="Retention (days)"
              name="days"
              type="number"
              value={days === null ? '' : String(days)}
              help="From 1 to 3650, counted from when a trace began. Empty leaves it to the project."
            />
            <Failure error={save.error} />
            <Failure error={preview.error} />
            <button type="submit" class="btn btn-sm btn-primary" disabled={save.busy}>
              Save
            </button>
          </form>
        )}
      </Show>
    </section>
  );
}

const PreviewText = ({ preview: { traces, spans, sessions } }: { preview: RetentionPreview }) => (
  <span role="status">
    The next sweep removes {numberText(traces)} traces, {numberText(spans)} spans and {numberText(sessions)} sessions.
  </span>
);
