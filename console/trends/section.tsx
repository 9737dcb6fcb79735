import { useState } from 'preact/hooks';
import type { TrendsDashboard } from '../../core/trends/dashboard.ts';
import { patch, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { trendsPath } from './address.ts';
import type { Step } from './arrangement.ts';
import type { Dashboard } from './dashboard.ts';
import { MoveButtons } from './move-buttons.tsx';
import { WidgetCard } from './widget-card.tsx';
import { WidgetDialog } from './widget-dialog.tsx';

type SectionView = TrendsDashboard['sections'][number];

export function Section({ section, dashboard }: { section: SectionView; dashboard: Dashboard }) {
  if (section.widgets.length === 0 && !dashboard.isEdited) return null;
  return (
    <section class="mb-4">
      <header class="d-flex flex-wrap gap-2 align-items-center mb-2">
        <h2 class="h6 mb-0">{section.name}</h2>
        {dashboard.isEdited && <SectionTools section={section} dashboard={dashboard} />}
      </header>
      <div class="widgets">
        {section.widgets.map((widget) => (
          <WidgetCard key={widget.id} widget={widget} dashboard={dashboard} />
        ))}
      </div>
    </section>
  );
}

function SectionTools({ section, dashboard }: { section: SectionView; dashboard: Dashboard }) {
  const [open, setOpen] = useState<'widget' | 'name'>();
  const path = `${trendsPath(dashboard.stream)}/sections/${encodeURIComponent(section.id)}`;
  const { sections } = dashboard.trends;
  const at = sections.indexOf(section);
  const move = useAction(async (step: Step) => {
    await patch(path, { position: at + step });
    dashboard.reload();
  });
  const close = (): void => setOpen(undefined);
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setOpen('widget')}>
        Add widget
      </button>
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setOpen('name')}>
        Rename
      </button>
      <MoveButtons what={section.name} canUp={at > 0} canDown={at < sections.length - 1} busy={move.busy} onMove={move.run} />
      <ConfirmButton
        label="Remove section"
        question={`Remove ${section.name} with its ${section.widgets.length} widgets?`}
        onConfirm={async () => {
          await remove(path);
          dashboard.reload();
        }}
      />
      <Failure error={move.error} />
      {open === 'widget' && <WidgetDialog dashboard={dashboard} section_id={section.id} onClose={close} />}
      {open === 'name' && (
        <FormDialog
          title="Rename section"
          verb="Rename"
          onClose={close}
          onSubmit={async (values) => {
            await patch(path, { name: values.get('name') });
            dashboard.reload();
          }}
        >
          <TextField label="Name" name="name" value={section.name} required />
        </FormDialog>
      )}
    </>
  );
}
