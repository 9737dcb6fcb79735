import { isBefore } from '../../../core/kernel/timestamp.ts';
import type { DueWork, WorkList } from '../../../core/trends/work-list.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

interface Entry {
  readonly work: DueWork;
  readonly due_at: string;
}

export class MemoryWorkList implements WorkList {
  readonly #entries: Table<string, Entry>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#entries = database.table();
  }

  async put(work: DueWork, due_at: string): Promise<void> {
    this.#entries.set(getKey(work), { work: { ...work }, due_at });
  }

  async remove(work: DueWork): Promise<void> {
    this.#entries.delete(getKey(work));
  }

  async dueProjects(kind: DueWork['kind'], now: string): Promise<string[]> {
    return [...new Set(this.#due(kind, now).map(({ work }) => work.project_id))];
  }

  async claim(kind: DueWork['kind'], now: string, until: string, project_id?: string): Promise<DueWork | undefined> {
    const first = this.#due(kind, now).find(({ work }) => project_id === undefined || work.project_id === project_id);
    if (first) await this.put(first.work, until);
    return first && { ...first.work };
  }

  #due(kind: DueWork['kind'], now: string): Entry[] {
    const due = [...this.#entries.values()].filter((one) => one.work.kind === kind && !isBefore(now, one.due_at));
    return due.sort((a, b) => (isBefore(a.due_at, b.due_at) ? -1 : 1));
  }
}

const getKey = ({ kind, project_id, id }: DueWork): string => `${kind} ${project_id} ${id}`;
