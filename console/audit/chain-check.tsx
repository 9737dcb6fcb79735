import { useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import { Dialog } from '../kit/dialog.tsx';
import { numberText } from '../kit/formatting.ts';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';

interface ChainReport {
  readonly entries: number;
  readonly head: string;
  readonly broken_at: number | null;
}

/** Has the service make every hash of the log again. */
export function ChainCheck() {
  const [report, setReport] = useState<ChainReport>();
  const check = useAction(async () => setReport(await get<ChainReport>('/audit_log/check')));
  return (
    <>
      <Failure error={check.error} />
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        disabled={check.busy}
        aria-haspopup="dialog"
        onClick={() => void check.run()}
      >
        {check.busy ? 'Checking …' : 'Verify integrity'}
      </button>
      {report && (
        <Dialog title="Integrity of the audit log" onClose={() => setReport(undefined)}>
          <Verdict report={report} />
        </Dialog>
      )}
    </>
  );
}

function Verdict({ report: { entries, head, broken_at } }: { report: ChainReport }) {
  if (broken_at !== null)
    return (
      <div class="alert alert-danger" role="alert">
        Entry {numberText(broken_at)} does not follow the one before it: an entry was changed, removed or inserted.
      </div>
    );
  return (
    <>
      <div class="alert alert-success" role="status">
        All {numberText(entries)} lines follow on each other.
      </div>
      <p class="mb-1">The hash of the last line. Kept elsewhere, it also shows lines that are cut off at the end:</p>
      <code class="text-break">{head}</code>
    </>
  );
}
