import { useState } from 'preact/hooks';
import type { Widget } from '../../core/trends/widget.ts';
import { patch, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { trendsPath } from './address.ts';
import { placeBeside, type Step } from './arrangement.ts';
import type { Dashboard } from './dashboard.ts';
import { MoveButtons } from './move-buttons.tsx';
import { WidgetDialog } from './widget-dialog.tsx';

export function WidgetTools({ widget, dashboard }: { widget: Widget; dashboard: Dashboard }) {
  const [editing, setEditing] = useState(false);
  const path = `${trendsPath(dashboard.stream)}/widgets/${widget.id}`;
  const beside = (step: Step) => placeBeside(dashboard.trends, widget, step);
  const move = useAction(async (step: Step) => {
    await patch(path, beside(step));
    dashboard.reload();
  });
  return (
    <>
      <MoveButtons
        what={widget.name}
        canUp={beside(-1) !== undefined}
        canDown={beside(1) !== undefined}
        busy={move.busy}
        onMove={move.run}
      />
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        aria-label={`Edit ${widget.name}`}
        aria-haspopup="dialog"
        onClick={() => setEditing(true)}
      >
        Edit
      </button>
      <ConfirmButton
        label="Delete"
        question={`Delete ${widget.name}? Alerts that watch it have nothing to watch then.`}
        onConfirm={async () => {
          await remove(path);
          dashboard.reload();
        }}
      />
      <Failure error={move.error} />
      {editing && (
        <WidgetDialog dashboard={dashboard} section_id={widget.section_id} widget={widget} onClose={() => setEditing(false)} />
      )}
    </>
  );
}
