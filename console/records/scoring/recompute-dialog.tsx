import { useState } from 'preact/hooks';
import type { RecomputeReply } from '../../../core/scorers/recompute/recompute.ts';
import { post } from '../../api/client.ts';
import { Check } from '../../kit/check.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { costText, numberText } from '../../kit/formatting.ts';
import { Failure } from '../../kit/notices.tsx';
import { useAction } from '../../kit/use-action.ts';
import type { Entry } from './settings.ts';

interface RecomputeProps {
  readonly project_id: string;
  readonly run: { readonly log_stream_id: string } | { readonly experiment_id: string };
  readonly scorers: readonly Entry[];
}

export function RecomputeButton(props: RecomputeProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Recompute
      </button>
      {isOpen && <RecomputeDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Has records judged again. What that takes is told first; nothing is done before it was seen. */
function RecomputeDialog({ project_id, run, scorers, onClose }: RecomputeProps & { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(scorers.map(({ id }) => id)));
  const [since, setSince] = useState('');
  const [reply, setReply] = useState<RecomputeReply>();
  const ask = useAction(async (dry_run: boolean) => {
    const from =
      since === '' ? [] : [{ type: 'date', column_id: 'created_at', operator: 'gte', value: new Date(since).toISOString() }];
    const body = { ...run, scorer_ids: [...chosen], filters: from, dry_run };
    setReply(await post<RecomputeReply>(`/projects/${project_id}/recompute-metrics`, body));
  });
  const choose = (id: string, isOn: boolean): void => {
    setReply(undefined);
    setChosen(new Set(isOn ? [...chosen, id] : [...chosen].filter((one) => one !== id)));
  };
  return (
    <Dialog title="Recompute scores" onClose={onClose}>
      <fieldset class="mb-3">
        <legend class="h6">Scorers</legend>
        {scorers.map(({ id, name }) => (
          <Check key={id} label={name} checked={chosen.has(id)} onCheck={(checked) => choose(id, checked)} />
        ))}
      </fieldset>
      <Field label="Traces since" help="Empty for all.">
        {(id) => (
          <input
            class="form-control"
            id={id}
            type="datetime-local"
            value={since}
            onInput={(event) => {
              setReply(undefined);
              setSince(event.currentTarget.value);
            }}
          />
        )}
      </Field>
      <Failure error={ask.error} />
      {reply && <ReplyText reply={reply} />}
      <footer class="d-flex justify-content-end gap-2 mt-3">
        <button
          type="button"
          class="btn btn-outline-secondary"
          disabled={ask.busy || chosen.size === 0}
          onClick={() => ask.run(true)}
        >
          Estimate
        </button>
        <button
          type="button"
          class="btn btn-primary"
          disabled={ask.busy || !reply?.dry_run || reply.records === 0}
          onClick={() => ask.run(false)}
        >
          Recompute
        </button>
      </footer>
    </Dialog>
  );
}

const ReplyText = ({ reply: { records, estimated_cost, dry_run } }: { reply: RecomputeReply }) => (
  <p role="status" class="mb-0">
    {dry_run
      ? `${numberText(records)} traces would be judged again, for ${estimated_cost === null ? 'a cost that is not known' : `about ${costText(estimated_cost)}`}.`
      : `${numberText(records)} traces are being judged again; their scores change as verdicts come.`}
  </p>
);
