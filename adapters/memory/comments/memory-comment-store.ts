import type { Comment } from '../../../core/comments/comment.ts';
import type { CommentSelection, CommentStore } from '../../../core/comments/comment-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import type { RecordKey } from '../../../core/ratings/rating-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

interface MemoryCommentDeps {
  readonly database: MemoryDatabase;
  recordExists(project_id: string, run_id: string, record_id: string): Promise<boolean>;
  /** Told of records that a comment was written about or taken from. */
  noteChange(project_id: string, run_id: string, record_ids: readonly string[]): void;
}

export class MemoryCommentStore implements CommentStore {
  readonly #deps: MemoryCommentDeps;
  readonly #comments: Table<string, Comment>;

  constructor(deps: MemoryCommentDeps) {
    this.#deps = deps;
    this.#comments = deps.database.table();
  }

  async insert(comment: Comment, most: number): Promise<'kept' | 'record_missing' | 'full'> {
    const { project_id, run_id, record_id } = comment;
    if (!(await this.#deps.recordExists(project_id, run_id, record_id))) return 'record_missing';
    if (this.#selected(comment).length >= most) return 'full';
    this.#comments.set(comment.id, structuredClone(comment));
    this.#deps.noteChange(project_id, run_id, [record_id]);
    return 'kept';
  }

  async list(selection: CommentSelection, { offset, limit }: Slice): Promise<Comment[]> {
    const newestFirst = this.#selected(selection).sort((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
    return structuredClone(newestFirst.slice(offset, offset + limit));
  }

  async counts(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Map<string, number>> {
    const counted = record_ids.map((record_id) => [record_id, this.countOf({ project_id, run_id, record_id })] as const);
    return new Map(counted.filter(([, count]) => count > 0));
  }

  countOf(key: RecordKey): number {
    return this.#selected(key).length;
  }

  async find(project_id: string, id: string): Promise<Comment | undefined> {
    const comment = this.#comments.get(id);
    return comment?.project_id === project_id ? structuredClone(comment) : undefined;
  }

  async update(project_id: string, id: string, changes: Pick<Comment, 'text' | 'updated_at'>): Promise<Comment | undefined> {
    const comment = await this.find(project_id, id);
    if (!comment) return undefined;
    const changed = { ...comment, ...changes };
    this.#comments.set(id, changed);
    return structuredClone(changed);
  }

  async remove(project_id: string, id: string): Promise<boolean> {
    const comment = this.#comments.get(id);
    if (comment?.project_id !== project_id) return false;
    this.#deps.noteChange(project_id, comment.run_id, [comment.record_id]);
    return this.#comments.delete(id);
  }

  /** Of some records, of a run, or of a whole project. */
  removeAll(project_id: string, run_id?: string, ids?: readonly string[]): void {
    for (const { id, record_id } of this.#selected({ project_id, run_id, record_id: undefined }))
      if (ids?.includes(record_id) ?? true) this.#comments.delete(id);
  }

  #selected({ project_id, run_id, record_id }: CommentSelection): Comment[] {
    return [...this.#comments.values()].filter(
      (comment) =>
        comment.project_id === project_id &&
        (run_id ?? comment.run_id) === comment.run_id &&
        (record_id ?? comment.record_id) === comment.record_id,
    );
  }
}
