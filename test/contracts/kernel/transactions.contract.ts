import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditStore } from '../../../core/access/audit/audit-store.ts';
import type { GroupStore } from '../../../core/access/groups/group-store.ts';
import type { LoginStore } from '../../../core/access/login/login-store.ts';
import type { JobMessage, JobStore } from '../../../core/jobs/job-store.ts';
import { Jobs } from '../../../core/jobs/jobs.ts';
import type { Transactions } from '../../../core/kernel/ports.ts';
import type { ProjectStore } from '../../../core/projects/project-store.ts';
import type { Opened } from '../opened.ts';

/** Several stores of one database. */
export interface TransactionStores {
  readonly transactions: Transactions;
  readonly projectStore: ProjectStore;
  readonly groupStore: GroupStore;
  readonly loginStore: LoginStore;
  readonly auditStore: AuditStore;
  readonly jobStore: JobStore;
  /** Tickets put into the queue so far. */
  messages(): Promise<readonly JobMessage[]>;
}

const AT = '2026-01-02T03:04:05.678Z';
const LONG_AGO = '2026-01-01T00:00:00.000Z';
const ME = randomUUID();

export function transactionsContract(adapter: string, open: () => Promise<Opened<TransactionStores>>): void {
  describe(`Transactions, ${adapter}`, () => {
    let opened: Opened<TransactionStores>;
    let stores: TransactionStores;
    beforeAll(async () => {
      opened = await open();
      stores = opened.port;
    });
    afterAll(() => opened.close());

    undoing(() => stores);
    beside(() => stores);
  });
}

function undoing(stores: () => TransactionStores): void {
  it('leaves nothing behind, in any store, of a transaction that fails', async () => {
    const { transactions, projectStore, groupStore, auditStore, jobStore, messages } = stores();
    const kept = await insertProject(stores());
    const gone = aProject();
    const group = aGroup();
    const [entries, waiting] = [await auditStore.list({}, ALL), await messages()];
    let job_id = '';
    const failing = transactions.run(async () => {
      await projectStore.updateProject(kept.id, { name: `new ${kept.id}`, updated_at: AT });
      await projectStore.insertProject(gone);
      await projectStore.insertRun(aRun(gone.id));
      await groupStore.insert(group);
      await groupStore.putMembers([aMember(group.id)]);
      job_id = await startJob(jobStore);
      await appendLine(auditStore);
      throw new Error('after all was written');
    });
    await expect(failing).rejects.toThrow('after all was written');
    expect(await projectStore.findProject(kept.id)).toEqual(kept);
    expect(await projectStore.findProject(gone.id)).toBeUndefined();
    expect(await projectStore.listRuns(gone.id, 'log_stream', [], { name: 'name', ascending: true })).toEqual([]);
    expect(await groupStore.findMany([group.id])).toEqual([]);
    expect(await groupStore.listMembers(group.id, ALL)).toEqual([]);
    expect(await jobStore.find(job_id)).toBeUndefined();
    expect(await messages()).toEqual(waiting);
    expect(await auditStore.list({}, ALL)).toEqual(entries);
  });

  it('brings back what a transaction that fails removed', async () => {
    const { transactions, projectStore, groupStore } = stores();
    const project = await insertProject(stores());
    const run = aRun(project.id);
    await projectStore.insertRun(run);
    const group = aGroup();
    await groupStore.insert(group);
    const failing = transactions.run(async () => {
      await projectStore.removeProject(project.id);
      await groupStore.remove(group.id);
      expect(await projectStore.findProject(project.id)).toBeUndefined();
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect(await projectStore.findProject(project.id)).toEqual(project);
    expect(await projectStore.findRun(project.id, 'log_stream', run.id)).toEqual(run);
    expect(await groupStore.findMany([group.id])).toEqual([group]);
  });

  it('joins a run inside a run to the outer one, which undoes both', async () => {
    const { transactions, projectStore } = stores();
    const [first, second] = [aProject(), aProject()];
    const failing = transactions.run(async () => {
      await projectStore.insertProject(first);
      await transactions.run(() => projectStore.insertProject(second));
      throw new Error('outer');
    });
    await expect(failing).rejects.toThrow('outer');
    expect(await projectStore.findProject(first.id)).toBeUndefined();
    expect(await projectStore.findProject(second.id)).toBeUndefined();
  });

  it('keeps all of a transaction that resolves, and resolves to what the work does', async () => {
    const { transactions, projectStore, jobStore, messages } = stores();
    const project = aProject();
    const job_id = await transactions.run(async () => {
      await projectStore.insertProject(project);
      return startJob(jobStore);
    });
    expect(await projectStore.findProject(project.id)).toEqual(project);
    expect(await messages()).toContainEqual(expect.objectContaining({ job_id }));
  });

  it('gives a name free again that a transaction that fails had taken', async () => {
    const { transactions, projectStore } = stores();
    const project = aProject();
    const failing = transactions.run(async () => {
      await projectStore.insertProject(project);
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    await projectStore.insertProject(project);
    expect(await projectStore.findProject(project.id)).toEqual(project);
  });
}

function beside(stores: () => TransactionStores): void {
  it('keeps what others wrote while a transaction was open that fails', async () => {
    const { transactions, projectStore } = stores();
    const [before, after, gone] = [aProject(), aProject(), aProject()];
    const isOpen = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const hasWritten = Promise.withResolvers<void>();
    const failing = transactions.run(async () => {
      isOpen.resolve();
      await mayGoOn.promise;
      await projectStore.insertProject(gone);
      hasWritten.resolve();
      await sleep(5);
      throw new Error('after all');
    });
    failing.catch(() => {});
    await isOpen.promise;
    await projectStore.insertProject(before);
    mayGoOn.resolve();
    await hasWritten.promise;
    await transactions.run(() => projectStore.insertProject(after));
    await expect(failing).rejects.toThrow('after all');
    expect(await projectStore.findProject(before.id)).toEqual(before);
    expect(await projectStore.findProject(after.id)).toEqual(after);
    expect(await projectStore.findProject(gone.id)).toBeUndefined();
  });

  it('shows what a transaction wrote to itself only, until it is through', async () => {
    const { transactions, projectStore } = stores();
    const project = aProject();
    const hasWritten = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const open = transactions.run(async () => {
      await projectStore.insertProject(project);
      hasWritten.resolve();
      await mayGoOn.promise;
      return projectStore.findProject(project.id);
    });
    await hasWritten.promise;
    expect(await projectStore.findProject(project.id)).toBeUndefined();
    mayGoOn.resolve();
    expect(await open).toEqual(project);
    expect(await projectStore.findProject(project.id)).toEqual(project);
  });

  it('loses no write when several transactions change one row, and counts none of one that fails', async () => {
    const { transactions, loginStore } = stores();
    const key = randomUUID();
    const count = (fails: boolean) =>
      transactions.run(async () => {
        await loginStore.countAttempt(key, AT, LONG_AGO);
        await sleep(1);
        if (fails) throw new Error('not counted');
      });
    const done = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => count(at % 4 === 3)));
    expect(done.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(2);
    expect((await loginStore.attempts([key]))[0]?.count).toBe(6);
  });

  it('numbers lines of the audit log without a gap when transactions add them at once and some fail', async () => {
    const { transactions, auditStore } = stores();
    const lines = (await auditStore.list({}, ALL)).length;
    const append = (fails: boolean) =>
      transactions.run(async () => {
        await appendLine(auditStore);
        await sleep(1);
        if (fails) throw new Error('undone');
      });
    await Promise.allSettled(Array.from({ length: 6 }, (_, at) => append(at % 3 === 1)));
    const sequences = (await auditStore.readAfter(lines, 100)).map(({ sequence }) => sequence);
    expect(sequences).toEqual([1, 2, 3, 4].map((one) => lines + one));
  });
}

const ALL = { offset: 0, limit: 100 };

function aProject() {
  const id = randomUUID();
  const facts = { description: null, labels: [], created_by: ME, created_at: AT, updated_at: AT };
  return { id, name: `project ${id}`, type: 'gen_ai', type_is_default: false, ...facts } as const;
}

async function insertProject({ projectStore }: TransactionStores) {
  const project = aProject();
  await projectStore.insertProject(project);
  return project;
}

function aRun(project_id: string) {
  const id = randomUUID();
  const facts = { created_by: ME, has_user_created_sessions: false, created_at: AT, updated_at: AT };
  return { id, project_id, kind: 'log_stream', name: `run ${id}`, ...facts } as const;
}

function aGroup() {
  const id = randomUUID();
  return {
    id,
    name: `group ${id}`,
    description: '',
    visibility: 'public',
    created_by: ME,
    created_at: AT,
    updated_at: AT,
  } as const;
}

const aMember = (group_id: string) =>
  ({ id: randomUUID(), group_id, user_id: randomUUID(), role: 'member', created_at: AT }) as const;

async function startJob(jobStore: JobStore): Promise<string> {
  const jobs = new Jobs({ jobStore, clock: () => new Date(AT), newId: randomUUID });
  return (await jobs.start({ job_name: 'a_job', project_id: null, run_id: null, created_by: ME, request_data: {} })).id;
}

async function appendLine(auditStore: AuditStore): Promise<void> {
  const event = { action: 'project.update', object_kind: 'project', object_id: randomUUID(), details: {} };
  const actor = { actor_id: ME, actor_email: 'ada@example.org', scheme: 'bearer', api_key_id: null };
  const facts = { at: AT, ...event, ...actor, request_id: 'r1', address: '127.0.0.1' };
  await auditStore.append(facts, (sequence, previous) => `${sequence} after ${previous}`);
}
