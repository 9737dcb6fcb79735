import { useState } from 'preact/hooks';
import type { CostRecomputeReply } from '../../core/traces/costs/cost-recompute.ts';
import { post } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { numberText } from '../kit/formatting.ts';

/** Has the calls of a log stream priced again, after prices were set or changed. */
export function CostsSection({ project_id, log_stream_id }: { readonly project_id: string; readonly log_stream_id: string }) {
  const [reply, setReply] = useState<CostRecomputeReply>();
  return (
    <section>
      <h2 class="h6">Costs</h2>
      <p>Prices the calls that are logged again, by the prices that are known now. Costs that applications stated stay.</p>
      <ConfirmButton
        label="Recompute costs"
        question="The costs of all traces of this log stream are replaced by those of today’s prices."
        onConfirm={async () =>
          setReply(await post<CostRecomputeReply>(`/projects/${project_id}/recompute-costs`, { log_stream_id }))
        }
      />
      {reply && (
        <p role="status" class="mb-0 mt-2">
          The calls of {numberText(reply.records)} traces are being priced again.
        </p>
      )}
    </section>
  );
}
