import { useState } from 'preact/hooks';
import type { SavedView } from '../../../core/saved-views/saved-view.ts';
import { get, patch, post, remove } from '../../api/client.ts';
import { Check } from '../../kit/check.tsx';
import { Choice } from '../../kit/choice.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/field.tsx';
import { toHref } from '../../kit/location.ts';
import { Failure, Show } from '../../kit/notices.tsx';
import { useAction } from '../../kit/use-action.ts';
import { type Loaded, useLoaded } from '../../kit/use-loaded.ts';
import { levelWord, type Place } from '../level.ts';
import type { RecordsView } from '../view.ts';
import { canBeSaved, ROLLING_RANGES, toViewPath, toViewState } from './view-state.ts';

interface SavedViewsProps {
  readonly place: Place;
  readonly view: RecordsView;
}

/** The lists that people come back to: each is opened by one press, and the list at hand is saved among them. */
export function SavedViews({ place, view }: SavedViewsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary" onClick={() => setOpen(true)}>
        Saved views
      </button>
      {isOpen && <ViewsDialog place={place} view={view} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ViewsDialogProps extends SavedViewsProps {
  readonly onClose: () => void;
}

function ViewsDialog({ place, view, onClose }: ViewsDialogProps) {
  const path = `/projects/${place.project_id}/views`;
  const loaded = useLoaded(path, (signal) => get<SavedView[]>(path, { signal }));
  return (
    <Dialog title="Saved views" wide onClose={onClose}>
      <Show loaded={loaded}>
        {(views) =>
          views.length === 0 ? (
            <p class="text-body-secondary">No saved views yet. Filter the list, then save it here under a name.</p>
          ) : (
            <table class="table table-rows">
              <tbody>
                {views.map((one) => (
                  <ViewRow key={one.id} place={place} view={view} saved={one} reload={loaded.reload} onClose={onClose} />
                ))}
              </tbody>
            </table>
          )
        }
      </Show>
      <NewView place={place} view={view} loaded={loaded} />
    </Dialog>
  );
}

interface ViewRowProps extends ViewsDialogProps {
  readonly saved: SavedView;
  readonly reload: () => void;
}

/** Whoever may not change a shared view is told so by the service. */
function ViewRow({ place, view, saved, reload, onClose }: ViewRowProps) {
  const path = `/projects/${place.project_id}/views/${saved.id}`;
  const [isDeleting, setDeleting] = useState(false);
  const act = useAction(async (work: () => Promise<unknown>) => {
    await work();
    reload();
  });
  const button = 'btn btn-sm btn-link p-0 text-decoration-none';
  // The list does not tell these, so they stay as they are.
  const { time_range, run_ids } = saved.state;
  const hours = time_range?.last_hours ?? undefined;
  return (
    <tr>
      <td>
        <a href={toHref(toViewPath(place, saved, new Date()))} onClick={onClose} dir="auto">
          {saved.name}
        </a>
        <Failure error={act.error} />
      </td>
      <td class="text-body-secondary">
        {levelWord(saved.state.record_type, 2)}
        {saved.is_shared && ' · shared'}
      </td>
      <td class="text-end">
        <span class="d-inline-flex gap-3">
          <button
            type="button"
            class={button}
            disabled={act.busy || !canBeSaved(view)}
            aria-label={`Replace ${saved.name} with the current list`}
            onClick={() => act.run(() => patch(path, { state: { ...toViewState(view, hours), run_ids } }))}
          >
            Replace
          </button>
          <button
            type="button"
            class={button}
            disabled={act.busy}
            aria-label={`${saved.is_shared ? 'Stop sharing' : 'Share'} ${saved.name}`}
            onClick={() => act.run(() => patch(path, { is_shared: !saved.is_shared }))}
          >
            {saved.is_shared ? 'Stop sharing' : 'Share'}
          </button>
          <button
            type="button"
            class={button}
            disabled={act.busy}
            aria-label={`${isDeleting ? 'Confirm deletion of' : 'Delete'} ${saved.name}`}
            onClick={() => (isDeleting ? act.run(() => remove(path)) : setDeleting(true))}
          >
            {isDeleting ? 'Confirm deletion' : 'Delete'}
          </button>
        </span>
      </td>
    </tr>
  );
}

interface NewViewProps extends SavedViewsProps {
  readonly loaded: Loaded<SavedView[]>;
}

function NewView({ place, view, loaded }: NewViewProps) {
  const [made, setMade] = useState(0);
  const save = useAction(async (values: FormData) => {
    const hours = values.get('hours');
    await post(`/projects/${place.project_id}/views`, {
      name: values.get('name'),
      is_shared: values.get('is_shared') === 'on',
      state: toViewState(view, hours ? Number(hours) : undefined),
    });
    setMade(made + 1);
    loaded.reload();
  });
  if (!canBeSaved(view)) return <p role="note">Conditions joined by “or” cannot be saved. Remove them to save the list.</p>;
  return (
    // A saved name makes room for the next one.
    <form
      key={made}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run(new FormData(event.currentTarget));
      }}
    >
      <TextField label="Save the current list as" name="name" required />
      <Choice label="Time range when opened" name="hours" choices={ROLLING_RANGES} value="" />
      <Check label="Share with everybody who can read the project" name="is_shared" />
      <Failure error={save.error} />
      <footer class="d-flex justify-content-end mt-3">
        <button type="submit" class="btn btn-primary" disabled={save.busy}>
          Save view
        </button>
      </footer>
    </form>
  );
}
