import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MemoryDatabase } from '../../adapters/memory/memory-database.ts';
import { MemoryProjectStore } from '../../adapters/memory/projects/memory-project-store.ts';
import { openMemoryAccess, someone } from '../../test/setup/access.ts';
import { LogStreamService } from './log-stream-service.ts';
import { NewProject } from './project.ts';
import { ProjectService } from './project-service.ts';
import type { RecordCounts, RunRecords } from './run-records.ts';

const caller = someone();

class CountedRecords implements RunRecords {
  readonly byRun = new Map<string, RecordCounts>();
  readonly removed: (readonly [string, string?])[] = [];
  asked = 0;

  async counts(_project_id: string, run_ids: readonly string[]): Promise<Map<string, RecordCounts>> {
    this.asked += 1;
    return new Map([...this.byRun].filter(([id]) => run_ids.includes(id)));
  }

  async removeAll(...run: [string, string?]): Promise<void> {
    this.removed.push(run);
  }
}

async function started() {
  const runRecords = new CountedRecords();
  const stores = { projectStore: new MemoryProjectStore({ database: new MemoryDatabase() }), runRecords, ...openMemoryAccess() };
  const ambient = { transactions: new MemoryDatabase(), clock: () => new Date(), newId: () => randomUUID() };
  const projects = new ProjectService({ ...stores, ...ambient });
  const logStreams = new LogStreamService({ ...stores, ...ambient });
  const project = await projects.createProject(caller, NewProject.parse({ name: 'Atlas' }));
  const stream = await logStreams.createLogStream(caller, project.id, { name: 'default' });
  return { runRecords, projects, logStreams, project_id: project.id, id: stream.id };
}

describe('records of a log stream', () => {
  it('are counted when that is asked for, and only then', async () => {
    const { runRecords, logStreams, project_id, id } = await started();
    await logStreams.createLogStream(caller, project_id, { name: 'silent' });
    runRecords.byRun.set(id, { num_traces: 2, num_spans: 7 });
    expect(await logStreams.listLogStreams(caller, project_id, false)).toMatchObject([{ num_spans: null }, { num_spans: null }]);
    expect(runRecords.asked).toBe(0);
    const counted = await logStreams.listLogStreams(caller, project_id, true);
    expect(counted.find((stream) => stream.id === id)).toMatchObject({ num_traces: 2, num_spans: 7 });
    expect(counted.find((stream) => stream.id !== id)).toMatchObject({ num_traces: 0, num_spans: 0 });
  });

  it('go with it', async () => {
    const { runRecords, logStreams, project_id, id } = await started();
    await logStreams.deleteLogStream(caller, project_id, id);
    expect(runRecords.removed).toEqual([[project_id, id]]);
  });

  it('go with its project', async () => {
    const { runRecords, projects, project_id } = await started();
    await projects.deleteProject(caller, project_id);
    expect(runRecords.removed).toEqual([[project_id]]);
  });

  it('stay when what should be deleted does not exist', async () => {
    const { runRecords, projects, logStreams, project_id, id } = await started();
    await expect(logStreams.deleteLogStream(caller, randomUUID(), id)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(logStreams.deleteLogStream(caller, project_id, randomUUID())).rejects.toMatchObject({ kind: 'not_found' });
    await expect(projects.deleteProject(caller, randomUUID())).rejects.toMatchObject({ kind: 'not_found' });
    expect(runRecords.removed).toEqual([]);
  });
});

describe('a creator who is gone', () => {
  it('leaves the log stream without one, and the project with its id', async () => {
    const { projects, logStreams, project_id, id } = await started();
    expect(await logStreams.getLogStream(caller, project_id, id)).toMatchObject({
      created_by: caller.user_id,
      created_by_user: null,
    });
    const nobody = { id: caller.user_id, email: '', first_name: null, last_name: null };
    expect((await projects.getProject(caller, project_id)).created_by_user).toEqual(nobody);
  });
});
