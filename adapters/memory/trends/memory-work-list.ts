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

  async claim(kind: DueWork['kind'], now: string, until: string): Promise<DueWork | undefined> {
    const due = [...this.#entries.values()].filter((one) => one.work.kind === kind && !isBefore(now, one.due_at));
    const [first] = due.sort((a, b) => (isBefore(a.due_at, b.due_at) ? -1 : 1));
    if (first) await this.put(first.work, until);
    return first && { ...first.work };
  }
}

const getKey = ({ kind, project_id, id }: DueWork): string => `${kind} ${project_id} ${id}`;
