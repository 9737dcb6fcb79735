import { type RunTag, tagExists } from '../../../core/experiments/run-tag.ts';
import type { RunTagStore } from '../../../core/experiments/run-tag-store.ts';
import { runNotFound } from '../../../core/projects/run.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { RunExists } from '../projects/run-exists.ts';
import type { Table } from '../table.ts';
import { oldestFirst } from '../traces/time-order.ts';

export class MemoryRunTagStore implements RunTagStore {
  readonly #runExists: RunExists;
  readonly #tags: Table<string, RunTag>;

  constructor({ database, runExists }: { database: MemoryDatabase; runExists: RunExists }) {
    this.#runExists = runExists;
    this.#tags = database.table();
  }

  async put(tag: RunTag): Promise<RunTag> {
    if (!(await this.#runExists(tag.project_id, tag.run_id))) throw runNotFound(tag.project_id, tag.run_id);
    const { value, tag_type, updated_at } = tag;
    const known = this.#ofKey(tag);
    const kept = known ? { ...known, value, tag_type, updated_at } : { ...tag };
    this.#tags.set(kept.id, kept);
    return { ...kept };
  }

  async find(project_id: string, run_id: string, id: string): Promise<RunTag | undefined> {
    const tag = this.#tags.get(id);
    const isOfRun = tag?.project_id === project_id && tag.run_id === run_id;
    return tag && isOfRun && (await this.#runExists(project_id, run_id)) ? { ...tag } : undefined;
  }

  async list(project_id: string, run_ids: readonly string[]): Promise<RunTag[]> {
    const own = [...this.#tags.values()].filter((tag) => tag.project_id === project_id && run_ids.includes(tag.run_id));
    const found = await Promise.all(own.map(({ run_id, id }) => this.find(project_id, run_id, id)));
    return oldestFirst(found.filter((tag) => tag !== undefined));
  }

  async update(
    project_id: string,
    run_id: string,
    id: string,
    changes: Pick<RunTag, 'key' | 'value' | 'tag_type' | 'updated_at'>,
  ): Promise<RunTag | undefined> {
    const tag = await this.find(project_id, run_id, id);
    const twin = tag && this.#ofKey({ ...tag, ...changes });
    if (twin && twin.id !== id) throw tagExists();
    if (tag) this.#tags.set(id, { ...tag, ...changes });
    return this.find(project_id, run_id, id);
  }

  async remove(project_id: string, run_id: string, id: string): Promise<boolean> {
    return (await this.find(project_id, run_id, id)) !== undefined && this.#tags.delete(id);
  }

  #ofKey({ project_id, run_id, key }: RunTag): RunTag | undefined {
    return [...this.#tags.values()].find((tag) => tag.project_id === project_id && tag.run_id === run_id && tag.key === key);
  }
}
