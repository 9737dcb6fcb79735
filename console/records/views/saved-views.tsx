import { useState } from 'preact/hooks';
import type { UserView } from '../../../core/access/users/user.ts';
import type { SavedView } from '../../../core/saved-views/saved-view.ts';
import { get, patch, post, remove } from '../../api/client.ts';
import { Check } from '../../kit/check.tsx';
import { Choice } from '../../kit/choice.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/field.tsx';
import { toHref } from '../../kit/location.ts';
import { Failure, Show } from '../../kit/notices.tsx';
import { Table } from '../../kit/table.tsx';
import { useAction } from '../../kit/use-action.ts';
import { type Loaded, useLoaded } from '../../kit/use-loaded.ts';
import { useProject } from '../../projects/use-project.ts';
import { allows } from '../../sharing/permission.ts';
import { findRun } from '../../traces/run-place.ts';
import { levelWord, type Place } from '../level.ts';
import type { RecordsView } from '../view.ts';
import { canBeSaved, findOtherRun, ROLLING_RANGES, toViewPath, toViewState } from './view-state.ts';

interface SavedViewsProps {
  readonly place: Place;
  readonly view: RecordsView;
}

/** The lists that people come back to: each is opened by one press, and the list at hand is saved among them. */
export function SavedViews({ place, view }: SavedViewsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setOpen(true)}>
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
  const rights = useRights(place.project_id);
  return (
    <Dialog title="Saved views" wide onClose={onClose}>
      <Show loaded={loaded}>
        {(views) =>
          views.length === 0 ? (
            <p class="text-body-secondary">No saved views yet. Filter the list, then save it here under a name.</p>
          ) : (
            <Table class="table table-rows">
              <tbody>
                {views.map((one) => (
                  <ViewRow
                    key={one.id}
                    place={place}
                    view={view}
                    saved={one}
                    rights={rights}
                    reload={loaded.reload}
                    onClose={onClose}
                  />
                ))}
              </tbody>
            </Table>
          )
        }
      </Show>
      <NewView place={place} view={view} loaded={loaded} mayShare={rights.mayShare} />
    </Dialog>
  );
}

/** Rights of whoever looks. Until they are known, none. */
interface Rights {
  /** Views that all are shown are for those who may change the project. */
  readonly mayShare: boolean;
  readonly user_id: string | undefined;
}

function useRights(project_id: string): Rights {
  const project = useProject(project_id).value;
  const user = useLoaded('current_user', (signal) => get<UserView>('/current_user', { signal })).value;
  return { mayShare: project !== undefined && allows(project.permissions, 'update'), user_id: user?.id };
}

interface ViewRowProps extends ViewsDialogProps {
  readonly saved: SavedView;
  readonly rights: Rights;
  readonly reload: () => void;
}

/** A view of one's own, or a shared one: others may open that, and change it only where they may change the project. */
function ViewRow({ place, view, saved, rights: { mayShare, user_id }, reload, onClose }: ViewRowProps) {
  const mayChange = mayShare || saved.created_by === user_id;
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
        <ViewLink place={place} saved={saved} onClose={onClose} />
        <Failure error={act.error} />
      </td>
      <td class="text-body-secondary">
        {levelWord(saved.state.record_type, 2)}
        {saved.is_shared && ' · shared'}
      </td>
      <td class="text-end">
        {mayChange && (
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
            {(mayShare || saved.is_shared) && (
              <button
                type="button"
                class={button}
                disabled={act.busy}
                aria-label={`${saved.is_shared ? 'Stop sharing' : 'Share'} ${saved.name}`}
                onClick={() => act.run(() => patch(path, { is_shared: !saved.is_shared }))}
              >
                {saved.is_shared ? 'Stop sharing' : 'Share'}
              </button>
            )}
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
        )}
      </td>
    </tr>
  );
}

/** The way to a view. Whether the run that it was saved for is a log stream or an experiment is looked up first. */
function ViewLink({ place, saved, onClose }: { place: Place; saved: SavedView; onClose: () => void }) {
  const { project_id } = place;
  const run_id = findOtherRun(place, saved);
  const found = useLoaded(`kind of ${run_id}`, async (signal): Promise<Omit<Place, 'level'>> => {
    if (run_id === undefined) return place;
    const { ids } = await findRun(project_id, run_id, signal);
    return { project_id, run_id, kind: 'experiment_id' in ids ? 'experiment' : 'log_stream' };
  });
  if (!found.value) return <span dir="auto">{saved.name}</span>;
  return (
    <a href={toHref(toViewPath(place, saved, new Date(), found.value))} onClick={onClose} dir="auto">
      {saved.name}
    </a>
  );
}

interface NewViewProps extends SavedViewsProps {
  readonly loaded: Loaded<SavedView[]>;
  readonly mayShare: boolean;
}

function NewView({ place, view, loaded, mayShare }: NewViewProps) {
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
      {mayShare && <Check label="Share with everybody who can read the project" name="is_shared" />}
      <Failure error={save.error} />
      <footer class="d-flex justify-content-end mt-3">
        <button type="submit" class="btn btn-primary" disabled={save.busy}>
          Save view
        </button>
      </footer>
    </form>
  );
}
