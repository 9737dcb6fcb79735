import type { AccessStore } from '../access/access-store.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { toUserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId } from '../kernel/ports.ts';
import { type PageRequest, sliceFor, toPageFields } from '../kernel/query/page.ts';
import { knownRun } from '../projects/known-run.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import type { RunIds } from '../projects/run-ids.ts';
import { recordNotFound } from '../ratings/rating.ts';
import {
  type Comment,
  type CommentPage,
  type CommentUpdate,
  type CommentView,
  commentNotFound,
  MAX_COMMENTS,
  type NewComment,
} from './comment.ts';
import type { CommentStore } from './comment-store.ts';

export interface CommentDeps {
  readonly commentStore: CommentStore;
  readonly runDirectory: RunDirectory;
  readonly accessStore: Pick<AccessStore, 'listUsers'>;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface CommentQuery extends RunIds {
  readonly record_id?: string | undefined;
}

/** Comments on records, by which people who look at them tell each other what they saw: who may annotate may comment, and all who may read see it. */
export class CommentService {
  readonly #deps: CommentDeps;

  constructor(deps: CommentDeps) {
    this.#deps = deps;
  }

  async create(caller: Caller, project_id: string, { record_id, text, ...ids }: NewComment): Promise<CommentView> {
    const { authorizer, commentStore, runDirectory, clock, newId } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'record_human_feedback');
    const { run_id } = await knownRun(runDirectory, project_id, ids);
    const now = clock().toISOString();
    const made = {
      id: newId(),
      project_id,
      run_id,
      record_id,
      text,
      created_by: caller.user_id,
      created_at: now,
      updated_at: now,
    };
    const outcome = await commentStore.insert(made, MAX_COMMENTS);
    if (outcome === 'record_missing') throw recordNotFound(record_id);
    if (outcome === 'full') throw new AppError('conflict', 'comments_full', `a record has at most ${MAX_COMMENTS} comments`);
    // As it is stored: masked, where the project has rules.
    return this.#one(await this.#found(project_id, made.id));
  }

  /** Newest first; of the whole project where no run is named. */
  async list(caller: Caller, project_id: string, query: CommentQuery, page: PageRequest): Promise<CommentPage> {
    const { authorizer, commentStore, runDirectory } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const { record_id, ...ids } = query;
    const isOfRun = record_id !== undefined || Object.values(ids).some((id) => id != null);
    const run_id = isOfRun ? (await knownRun(runDirectory, project_id, ids)).run_id : undefined;
    const found = await commentStore.list({ project_id, run_id, record_id }, sliceFor(page));
    const comments = await this.#shown(found.slice(0, page.limit));
    return { ...toPageFields(comments.length, found.length > page.limit, page), comments };
  }

  /** By its author alone: nobody else puts words into their mouth. */
  async update(caller: Caller, project_id: string, id: string, { text }: CommentUpdate): Promise<CommentView> {
    const { authorizer, commentStore, clock } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'record_human_feedback');
    const comment = await this.#found(project_id, id);
    if (comment.created_by !== caller.user_id)
      throw new AppError('forbidden', 'comment_of_another_user', 'only its author may change a comment');
    const changed = await commentStore.update(project_id, id, { text, updated_at: clock().toISOString() });
    if (!changed) throw commentNotFound(id);
    return this.#one(changed);
  }

  /** By its author, and by all who may change the project. */
  async delete(caller: Caller, project_id: string, id: string): Promise<{ message: string }> {
    const { authorizer, commentStore } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const comment = await commentStore.find(project_id, id);
    if (comment?.created_by !== caller.user_id) await authorizer.authorize(caller, 'project', project_id, 'update');
    if (!(await commentStore.remove(project_id, id))) throw commentNotFound(id);
    return { message: `comment ${id} is deleted` };
  }

  async #one(comment: Comment): Promise<CommentView> {
    const [shown] = await this.#shown([comment]);
    return shown!;
  }

  async #shown(comments: readonly Comment[]): Promise<CommentView[]> {
    const ids = new Set(comments.map(({ created_by }) => created_by));
    const users = ids.size > 0 ? await this.#deps.accessStore.listUsers([...ids]) : [];
    const byId = new Map(users.map((user) => [user.id, toUserSummary(user)]));
    return comments.map((comment) => ({ ...comment, created_by_user: byId.get(comment.created_by) ?? null }));
  }

  async #found(project_id: string, id: string): Promise<Comment> {
    const comment = await this.#deps.commentStore.find(project_id, id);
    if (!comment) throw commentNotFound(id);
    return comment;
  }
}
