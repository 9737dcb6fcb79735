import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId } from '../kernel/ports.ts';
import { requireRun } from '../projects/known-run.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import { bindBookmarks } from '../traces/read/bookmark-filter.ts';
import { toRecordCondition, toRecordSort } from '../traces/record-query.ts';
import { toSessionCondition, toSessionSort } from '../traces/sessions/session-column.ts';
import {
  MAX_VIEWS,
  type NewSavedView,
  type SavedView,
  type SavedViewUpdate,
  type ViewState,
  viewNotFound,
} from './saved-view.ts';
import type { SavedViewStore, ViewChanges } from './saved-view-store.ts';

export interface SavedViewDeps {
  readonly savedViewStore: SavedViewStore;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Lists of records as people want to find them again: for themselves, or for all who may read the project. */
export class SavedViewService {
  readonly #deps: SavedViewDeps;

  constructor(deps: SavedViewDeps) {
    this.#deps = deps;
  }

  /** Who may read may save for themselves; what all others are shown is for those who may change the project. */
  async create(caller: Caller, project_id: string, wanted: NewSavedView): Promise<SavedView> {
    const { authorizer, savedViewStore, clock, newId } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, wanted.is_shared ? 'update' : 'read');
    await this.#check(project_id, wanted.state);
    const now = clock().toISOString();
    const view = { ...wanted, id: newId(), project_id, created_by: caller.user_id, created_at: now, updated_at: now };
    if (await savedViewStore.insert(view, MAX_VIEWS)) return view;
    throw new AppError('conflict', 'saved_views_full', `a user has at most ${MAX_VIEWS} saved views in a project`);
  }

  async list(caller: Caller, project_id: string): Promise<SavedView[]> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return this.#deps.savedViewStore.list(project_id, caller.user_id);
  }

  async get(caller: Caller, project_id: string, id: string): Promise<SavedView> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return this.#found(caller, project_id, id);
  }

  async update(caller: Caller, project_id: string, id: string, wanted: SavedViewUpdate): Promise<SavedView> {
    const { authorizer, savedViewStore, clock } = this.#deps;
    const view = await this.#toChange(caller, project_id, id);
    if (wanted.is_shared && !view.is_shared) await authorizer.authorize(caller, 'project', project_id, 'update');
    if (wanted.state) await this.#check(project_id, wanted.state);
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value != null)) as ViewChanges;
    const changes = { ...given, updated_at: clock().toISOString() };
    await savedViewStore.update(project_id, id, changes);
    return { ...view, ...changes };
  }

  async delete(caller: Caller, project_id: string, id: string): Promise<{ message: string }> {
    await this.#toChange(caller, project_id, id);
    if (!(await this.#deps.savedViewStore.remove(project_id, id))) throw viewNotFound(id);
    return { message: `saved view ${id} is deleted` };
  }

  /** For its owner, and, where it is shared, for all who may change the project; others do not learn whether there is one. */
  async #toChange(caller: Caller, project_id: string, id: string): Promise<SavedView> {
    const { authorizer, savedViewStore } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const view = await savedViewStore.find(project_id, id, caller.user_id);
    if (view?.created_by !== caller.user_id) await authorizer.authorize(caller, 'project', project_id, 'update');
    if (!view) throw viewNotFound(id);
    return view;
  }

  async #found(caller: Caller, project_id: string, id: string): Promise<SavedView> {
    const view = await this.#deps.savedViewStore.find(project_id, id, caller.user_id);
    if (!view) throw viewNotFound(id);
    return view;
  }

  /** A view that no search would take is refused when it is saved, not when it is opened. */
  async #check(project_id: string, { record_type, run_ids, sort, ...asked }: ViewState): Promise<void> {
    const { filters } = bindBookmarks({ filters: asked.filters, filter_tree: null }, []);
    const isOfSessions = record_type === 'session';
    if (isOfSessions) toSessionCondition({ filters });
    else toRecordCondition({ filters });
    if (isOfSessions) toSessionSort(sort);
    else toRecordSort(sort);
    for (const run_id of new Set(run_ids)) await requireRun(this.#deps.runDirectory, project_id, run_id);
  }
}
