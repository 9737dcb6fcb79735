import { useState } from 'preact/hooks';
import type { LogStream } from '../../core/projects/log-stream.ts';
import { get, put, remove } from '../api/client.ts';
import { DatasetRulesSection } from '../datasets/rules/rules-section.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { TextField } from '../kit/field.tsx';
import { navigate } from '../kit/location.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import '../styles/records.css';
import { LogStreamHead } from '../projects/log-stream-head.tsx';
import { CostsSection } from './costs-section.tsx';
import { RetentionSection } from './retention-section.tsx';

/** Settings of a log stream: its name, how long it keeps its traces, their costs, and its deletion. */
export function LogStreamSettingsPage({ params }: { params: Record<string, string> }) {
  const [project_id, log_stream_id] = [params.project_id!, params.log_stream_id!];
  const path = `/projects/${project_id}/log_streams/${log_stream_id}`;
  const [renamed, setRenamed] = useState(0);
  const stream = useLoaded(`settings of ${path}`, (signal) => get<LogStream>(path, { signal }));
  const onRenamed = (): void => {
    stream.reload();
    setRenamed(renamed + 1);
  };
  return (
    // A head of another key reads the new name.
    <LogStreamHead key={renamed} project_id={project_id} log_stream_id={log_stream_id} part="settings">
      <Show loaded={stream}>
        {({ name }) => (
          <div class="settings">
            <NameSection path={path} name={name} onRenamed={onRenamed} />
            <RetentionSection path={path} />
            <CostsSection project_id={project_id} log_stream_id={log_stream_id} />
            <DatasetRulesSection project_id={project_id} log_stream_id={log_stream_id} />
            <section>
              <h2 class="h6">Delete</h2>
              <p>Deletes the log stream and all its traces, spans, sessions and scores. Experiments and datasets stay.</p>
              <ConfirmButton
                label="Delete log stream"
                question={`"${name}" and all that was logged to it cannot be brought back.`}
                onConfirm={async () => {
                  await remove(path);
                  navigate(`/projects/${project_id}`);
                }}
              />
            </section>
          </div>
        )}
      </Show>
    </LogStreamHead>
  );
}

function NameSection({ path, name, onRenamed }: { path: string; name: string; onRenamed: () => void }) {
  const rename = useAction(async (values: FormData) => {
    await put<LogStream>(path, { name: values.get('name') });
    onRenamed();
  });
  return (
    <section>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void rename.run(new FormData(event.currentTarget));
        }}
      >
        <TextField label="Name" name="name" value={name} required help="Clients that log to this name must be updated." />
        <Failure error={rename.error} />
        <button type="submit" class="btn btn-sm btn-primary" disabled={rename.busy}>
          Rename
        </button>
      </form>
    </section>
  );
}
