import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresAccessStore } from '../../../adapters/postgres/access/postgres-access-store.ts';
import { PostgresAuditStore } from '../../../adapters/postgres/access/postgres-audit-store.ts';
import { PostgresCollaboratorStore } from '../../../adapters/postgres/access/postgres-collaborator-store.ts';
import { PostgresGroupStore } from '../../../adapters/postgres/access/postgres-group-store.ts';
import { PostgresFileContents } from '../../../adapters/postgres/files/postgres-file-contents.ts';
import { PostgresFileStore } from '../../../adapters/postgres/files/postgres-file-store.ts';
import { PostgresProjectStore } from '../../../adapters/postgres/projects/postgres-project-store.ts';
import { NodeSecrets } from '../../../adapters/security/node-secrets.ts';
import { AuditTrail } from '../../../core/access/audit/audit-trail.ts';
import { Authorizer } from '../../../core/access/authorizer.ts';
import { RecentPrincipals } from '../../../core/access/login/recent-principals.ts';
import { FileService } from '../../../core/files/file-service.ts';
import { LogStreamService } from '../../../core/projects/log-stream-service.ts';
import { NewProject } from '../../../core/projects/project.ts';
import { ProjectService } from '../../../core/projects/project-service.ts';
import type { RunRecords } from '../../../core/projects/run-records.ts';
import { someone } from '../../setup/access.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

const caller = someone();

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

function services(runRecords: RunRecords) {
  const { session } = database;
  const stores = {
    projectStore: new PostgresProjectStore({ session }),
    accessStore: new PostgresAccessStore({ session }),
    collaboratorStore: new PostgresCollaboratorStore({ session }),
    groupStore: new PostgresGroupStore({ session }),
    auditStore: new PostgresAuditStore({ session }),
    runRecords,
  };
  const clock = () => new Date();
  const access = {
    authorizer: new Authorizer({ ...stores, clock }),
    auditTrail: new AuditTrail({ ...stores, secrets: new NodeSecrets(), clock }),
    recentPrincipals: new RecentPrincipals({ clock }),
  };
  const deps = { ...stores, ...access, transactions: session, clock, newId: () => randomUUID() };
  const files = new FileService({
    ...{ ...deps, fileStore: new PostgresFileStore({ session }), fileContents: new PostgresFileContents({ session }) },
    ...{ sha256: (bytes: Uint8Array) => hash('sha256', bytes, 'hex'), maxProjectFileBytes: 1_000 },
    fileUrls: { urlsOf: async () => new Map() },
  });
  return { files, projects: new ProjectService(deps), logStreams: new LogStreamService(deps), store: stores.projectStore };
}

const noRecords: RunRecords = { counts: async () => new Map(), removeAll: async () => {} };
const stuckRecords: RunRecords = { ...noRecords, removeAll: async () => Promise.reject(new Error('the disk is on fire')) };
const newProject = () => NewProject.parse({ name: randomUUID() });

describe('deleting', () => {
  it('leaves project and log stream whole when their records cannot be removed', async () => {
    const { projects, logStreams, store } = services(stuckRecords);
    const { id } = await projects.createProject(caller, newProject());
    const stream = await logStreams.createLogStream(caller, id, { name: 'default' });
    await expect(projects.deleteProject(caller, id)).rejects.toThrow('on fire');
    await expect(logStreams.deleteLogStream(caller, id, stream.id)).rejects.toThrow('on fire');
    expect(await store.findProject(id)).toBeDefined();
    expect(await store.findRun(id, 'log_stream', stream.id)).toBeDefined();
  });

  it('leaves no log stream, file or collaborator behind that was created meanwhile', async () => {
    const { files, projects, logStreams } = services(noRecords);
    const file = { filename: 'x', content_type: 'text/plain', bytes: new Uint8Array([1]) };
    for (let round = 0; round < 20; round += 1) {
      const { id } = await projects.createProject(caller, newProject());
      const arrivals = [1, 2, 3].flatMap((number) => [
        logStreams.createLogStream(caller, id, { name: `stream ${number}` }),
        files.uploadFile(caller, id, file, ''),
      ]);
      const outcomes = await Promise.allSettled([...arrivals, projects.deleteProject(caller, id)]);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      for (const { reason } of refused) expect(reason).toMatchObject({ kind: 'not_found' });
    }
    const orphans = `select from runs r where not exists (select from projects p where p.id = r.project_id)
                     union all select from files f where not exists (select from projects p where p.id = f.project_id)
                     union all select from user_collaborators c where not exists (select from projects p where p.id = c.object_id)`;
    expect(await database.session.sql(orphans)).toHaveLength(0);
  });
});
