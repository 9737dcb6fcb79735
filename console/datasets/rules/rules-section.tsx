import type { DatasetRule } from '../../../core/datasets/rules/dataset-rule.ts';
import { get, patch, remove } from '../../api/client.ts';
import { ConfirmButton } from '../../kit/confirm.tsx';
import { numberText } from '../../kit/formatting.ts';
import { toHref } from '../../kit/location.ts';
import { Failure, Show } from '../../kit/notices.tsx';
import { Time } from '../../kit/time.tsx';
import { useAction } from '../../kit/use-action.ts';
import { useLoaded } from '../../kit/use-loaded.ts';

const REASONS: Readonly<Record<NonNullable<DatasetRule['paused_reason']>, string>> = {
  user: 'paused by hand',
  dataset_deleted: 'paused: the dataset was deleted',
  access_lost: 'paused: who enabled it may no longer change the dataset or the project',
  dataset_refused: 'paused: the dataset takes no more',
};

/** Rules that fill datasets from a log stream, with how far they are. */
export function DatasetRulesSection({ project_id, log_stream_id }: { project_id: string; log_stream_id: string }) {
  const path = `/projects/${project_id}/dataset-rules`;
  const loaded = useLoaded(`${path} ${log_stream_id}`, (signal) =>
    get<{ rules: readonly DatasetRule[] }>(path, { query: { log_stream_id }, signal }),
  );
  return (
    <section>
      <h2 class="h6">Dataset rules</h2>
      <Show loaded={loaded}>
        {({ rules }) =>
          rules.length === 0 ? (
            <p>
              Filter the records of the log stream and press “Keep adding to dataset”: what comes to match is added to a dataset
              by itself.
            </p>
          ) : (
            <ul class="list-unstyled">
              {rules.map((rule) => (
                <RuleItem key={rule.id} rule={rule} path={`${path}/${rule.id}`} onChanged={loaded.reload} />
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
}

function RuleItem({ rule, path, onChanged }: { rule: DatasetRule; path: string; onChanged: () => void }) {
  const { name, dataset_id, is_enabled, paused_reason, paused_message, num_added, num_left_out, last_run_at } = rule;
  const turn = useAction(async () => {
    await patch(path, { is_enabled: !is_enabled });
    onChanged();
  });
  return (
    <li class="mb-2">
      <div>
        <strong>{name}</strong> adds to{' '}
        <a class="text-decoration-underline" href={toHref(`/datasets/${dataset_id}`)}>
          its dataset
        </a>
      </div>
      <div class="small text-body-secondary">
        {numberText(num_added)} added
        {num_left_out > 0 && `, ${numberText(num_left_out)} beyond the rows of a day`} ·{' '}
        {last_run_at ? (
          <>
            looked <Time at={last_run_at} />
          </>
        ) : (
          'has not looked yet'
        )}
        {paused_reason && ` · ${REASONS[paused_reason]}`}
        {paused_message && ` (${paused_message})`}
      </div>
      <div class="d-flex gap-3">
        <button
          type="button"
          class="btn btn-sm btn-link p-0 text-decoration-none"
          disabled={turn.busy}
          onClick={() => void turn.run()}
        >
          {is_enabled ? 'Pause' : 'Go on'}
        </button>
        <ConfirmButton
          quiet
          label="Delete rule"
          question={`“${name}” adds nothing any more. The rows it added stay.`}
          onConfirm={async () => {
            await remove(path);
            onChanged();
          }}
        />
      </div>
      <Failure error={turn.error} />
    </li>
  );
}
