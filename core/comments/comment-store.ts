import type { Slice } from '../kernel/query/page.ts';
import type { Comment } from './comment.ts';

/** Comments that are asked for: of a project, of one of its runs, or of one record of that run. */
export interface CommentSelection {
  readonly project_id: string;
  readonly run_id: string | undefined;
  /** Only with a run. */
  readonly record_id: string | undefined;
}

/** Comments on traces, spans and sessions. They go with what they are about. */
export interface CommentStore {
  /** Stores nothing where the run has no such record or session, or where it has `most` comments already. */
  insert(comment: Comment, most: number): Promise<'kept' | 'record_missing' | 'full'>;
  /** Newest first. */
  list(selection: CommentSelection, slice: Slice): Promise<Comment[]>;
  /** How many each of the records and sessions of the run has; those without any are left out. */
  counts(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Map<string, number>>;
  find(project_id: string, id: string): Promise<Comment | undefined>;
  /** Undefined where there is none. */
  update(project_id: string, id: string, changes: Pick<Comment, 'text' | 'updated_at'>): Promise<Comment | undefined>;
  remove(project_id: string, id: string): Promise<boolean>;
}
