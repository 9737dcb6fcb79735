import type { DataExport } from '../../core/data-export/data-export.ts';
import { get, put } from '../api/client.ts';
import { Check } from '../kit/check.tsx';
import { numberText } from '../kit/formatting.ts';
import { Show } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { SettingsForm } from '../settings/settings-form.tsx';

interface DataExportFormProps {
  readonly project_id: string;
  readonly mayChange: boolean;
}

const KINDS = [
  ['records', 'Traces and spans'],
  ['scores', 'Scores'],
  ['ratings', 'Feedback and annotations'],
] as const;

/** The export of a project as Parquet files: whether, what, and how far it is. */
export function DataExportForm({ project_id, mayChange }: DataExportFormProps) {
  const path = `/projects/${project_id}/data-export`;
  const loaded = useLoaded(path, (signal) => get<DataExport>(path, { signal }));
  return (
    <Show loaded={loaded}>
      {(state) => (
        <SettingsForm
          title="Data export"
          mayChange={mayChange && (state.target !== null || state.is_enabled)}
          onSubmit={async (values) => {
            const content = KINDS.map(([kind]) => kind).filter((kind) => values.get(kind) === 'on');
            await put(path, { is_enabled: values.get('is_enabled') === 'on', content });
            loaded.reload();
          }}
        >
          <Check label="Export as Parquet files" name="is_enabled" checked={state.is_enabled} />
          <div class="ms-4">
            {KINDS.map(([kind, label]) => (
              <Check key={kind} label={label} name={kind} checked={state.content.includes(kind)} />
            ))}
          </div>
          {state.target === null ? (
            <p class="form-text">This installation has no export target. The operator sets one by EXPORT_TO.</p>
          ) : (
            <p class="form-text">
              Files go to <code class="text-break">{state.target}</code>. Whoever can read them there can read all of the project.
            </p>
          )}
          {state.status !== 'off' && <Progress state={state} onReload={loaded.reload} />}
        </SettingsForm>
      )}
    </Show>
  );
}

const STATUSES: Readonly<Record<DataExport['status'], string>> = {
  off: 'Off',
  up_to_date: 'Up to date',
  behind: 'Behind',
  failing: 'Failing',
};

const Progress = ({ state, onReload }: { state: DataExport; onReload: () => void }) => (
  <dl class="small">
    <dt>Status</dt>
    <dd>
      {STATUSES[state.status]}
      {state.num_waiting > 0 && `, ${numberText(state.num_waiting)} records waiting`}{' '}
      <button type="button" class="btn btn-sm btn-link py-0" onClick={onReload}>
        Refresh
      </button>
    </dd>
    {state.failure && (
      <>
        <dt>Last failure</dt>
        <dd class="text-break">
          {state.failure.reason} ({numberText(state.failure.attempts)} attempts; next: <Time at={state.failure.next_attempt_at} />
          )
        </dd>
      </>
    )}
    <dt>Written</dt>
    <dd>
      {numberText(state.num_files)} files, {numberText(state.num_rows)} rows
    </dd>
    {state.last_file && (
      <>
        <dt>Last file</dt>
        <dd>
          <code class="text-break">{state.last_file.key}</code> <Time at={state.last_file.written_at} />
        </dd>
      </>
    )}
  </dl>
);
