import { asFunction, asValue } from 'awilix';
import { describe, expect, it } from 'vitest';
import { MemoryGroupStore } from '../../adapters/memory/access/memory-group-store.ts';
import { MemoryDatabase } from '../../adapters/memory/memory-database.ts';
import type { Cradle } from '../../config/cradle.ts';
import { AccessService } from '../../core/access/access-service.ts';
import { AuditService } from '../../core/access/audit/audit-service.ts';
import { Authorizer } from '../../core/access/authorizer.ts';
import type { Caller, Principal } from '../../core/access/caller.ts';
import { type CountedGroup, GROUPS_BY_NAME } from '../../core/access/groups/group.ts';
import type { GroupViewer } from '../../core/access/groups/group-store.ts';
import { RecentPrincipals } from '../../core/access/login/recent-principals.ts';
import type { CollaboratorRole, ObjectKind } from '../../core/access/role.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { ProjectService } from '../../core/projects/project-service.ts';
import type { RunContext, RunDirectory } from '../../core/projects/run-context.ts';
import type { TestSettings } from '../http/harness.ts';
import { ACCESS_MATRIX } from './access-matrix.ts';
import { openAccessFixture } from './open-fixture.ts';
import { runMatrix } from './run-matrix.ts';

const one = <T>(make: (cradle: Cradle) => T) => asFunction(make).singleton();

class AllowingAuthorizer extends Authorizer {
  override async authorize(): Promise<CollaboratorRole> {
    return 'owner';
  }
}

class AllSeeingAuthorizer extends Authorizer {
  override async visible() {
    return { filters: [], roleOn: () => 'owner' as const };
  }
}

class LaxInOrganization extends Authorizer {
  override whyNotInOrganization(): null {
    return null;
  }
}

class ForgetfulOfKeyLimits extends Authorizer {
  override roleOn(caller: Caller, kind: ObjectKind, id: string): Promise<CollaboratorRole | undefined> {
    return super.roleOn({ ...caller, project_id: null, max_role: null }, kind, id);
  }
}

class TalkativeAuthorizer extends Authorizer {
  readonly #isShared: (kind: ObjectKind, id: string) => Promise<boolean>;

  constructor(cradle: Cradle) {
    super(cradle);
    this.#isShared = (kind, id) => cradle.collaboratorStore.isShared({ kind, id });
  }

  override async roleOn(caller: Caller, kind: ObjectKind, id: string): Promise<CollaboratorRole | undefined> {
    const role = await super.roleOn(caller, kind, id);
    if (role === undefined && (await this.#isShared(kind, id)))
      throw new AppError('not_found', 'project_not_found', `project ${id} is not yours`);
    return role;
  }
}

/** Who asked to join is taken for a member. */
const pendingAsMembers = (cradle: Cradle): Authorizer => {
  const toGroups = async (user_id: string) => {
    const groups = await cradle.groupStore.list({ user_id, sees_all: true }, [], GROUPS_BY_NAME, { offset: 0, limit: 10_000 });
    return groups.filter(({ role }) => role !== null).map(({ id }) => id);
  };
  return new Authorizer({ ...toDeps(cradle), groupStore: { toGroups } as never });
};

const toDeps = ({ collaboratorStore, groupStore, clock }: Cradle) => ({ collaboratorStore, groupStore, clock });

class OpenGroupStore extends MemoryGroupStore {
  override find(id: string, viewer: GroupViewer): Promise<CountedGroup | undefined> {
    return super.find(id, { ...viewer, sees_all: true });
  }
}

class LongMemory extends RecentPrincipals {
  override forget(): void {}
}

class UnlimitedTokens extends AccessService {
  override async callerByToken(token: string): Promise<Principal | undefined> {
    const principal = await super.callerByToken(token);
    return principal && { ...principal, project_id: null, max_role: null };
  }
}

class DeletesBeforeItAsks extends ProjectService {
  readonly #remove: (id: string) => Promise<unknown>;

  constructor(cradle: Cradle) {
    super(cradle);
    this.#remove = (id) => cradle.projectStore.removeProject(id);
  }

  override async deleteProject(caller: Caller, id: string): Promise<{ message: string }> {
    await this.#remove(id);
    return super.deleteProject(caller, id);
  }
}

/** Finds a run whatever project it is of. */
const runsOfAllProjects = ({ projectStore, metricSettingsStore }: Cradle): RunDirectory => ({
  async findRun(project_id, run_id): Promise<RunContext | undefined> {
    const directory = metricSettingsStore as unknown as RunDirectory;
    const projects = await projectStore.listProjects([], { name: 'name', ascending: true });
    const found = await Promise.all(projects.map(({ id }) => directory.findRun(id, run_id)));
    const run = found.find((one) => one !== undefined);
    return run && { ...run, project_id };
  },
});

interface Control {
  readonly settings: TestSettings;
  /** Operations that are tried. */
  readonly slice: readonly string[];
  /** Among the failures that are reported. */
  readonly failures: readonly string[];
}

const CONTROLS: Readonly<Record<string, Control>> = {
  'an authorizer that always allows': {
    settings: { overrides: { authorizer: one((cradle) => new AllowingAuthorizer(cradle)) } },
    slice: ['getProject', 'deleteProject', 'logTraces'],
    failures: [
      'getProject | API key | foreign: expected 404, got 200',
      'deleteProject | API key | viewer: expected 403, got 200',
      'deleteProject | key with max_role viewer | own: expected 403, got 200',
      'logTraces | manager | foreign: expected 404, got 200',
      'logTraces | read_only user | own: expected 403, got 200',
    ],
  },
  'an authorizer that shows all': {
    settings: { overrides: { authorizer: one((cradle) => new AllSeeingAuthorizer(cradle)) } },
    slice: ['listProjects', 'countProjects'],
    failures: [
      'listProjects | API key | foreign: expected the list not to show it',
      'countProjects | key for another project | own: expected the list not to show it',
    ],
  },
  'an authorizer that takes pending for members': {
    settings: { overrides: { authorizer: one(pendingAsMembers) } },
    slice: ['getLogStream', 'searchProjects'],
    failures: [
      'getLogStream | API key | pending in a group: expected 404, got 200',
      'searchProjects | API key | pending in a group: expected the list not to show it',
    ],
  },
  'an authorizer that forgets the limits of keys': {
    settings: { overrides: { authorizer: one((cradle) => new ForgetfulOfKeyLimits(cradle)) } },
    slice: ['updateProject', 'getTrace'],
    failures: [
      'updateProject | key for another project | own: expected 404, got 200',
      'updateProject | key with max_role viewer | own: expected 403, got 200',
      'getTrace | token got for a key for another project | own: expected 404, got 200',
    ],
  },
  'an authorizer that lets everybody manage the organisation': {
    settings: { overrides: { authorizer: one((cradle) => new LaxInOrganization(cradle)) } },
    slice: ['createProject', 'listAuditLog', 'listUsers'],
    failures: [
      'createProject | read_only user | —: expected 403, got 200',
      'listAuditLog (all of it) | API key | —: expected 403, got 200',
      'listUsers | key for this project | —: expected 403, got 200',
    ],
  },
  'no guard before the routes': {
    settings: { mounted: (routes) => routes.map((route) => ({ ...route, auth: 'none' as const })) },
    slice: ['getScorer', 'getProject'],
    failures: [
      'getScorer | anonymous | made by another: expected 401, got 200',
      'getScorer | token to verify an e-mail address | made by another: expected 401, got 200',
      'getProject | expired token | foreign: expected 401, got 500',
    ],
  },
  'a memory of credentials that is never cleared': {
    settings: { overrides: { recentPrincipals: one((cradle) => new LongMemory(cradle)) } },
    slice: ['getCurrentUser'],
    failures: [
      'getCurrentUser | revoked key | —: expected 401, got 200',
      'getCurrentUser | key of a disabled user | —: expected 401, got 200',
    ],
  },
  'tokens that do not carry the limits of their keys': {
    settings: { overrides: { accessService: one((cradle) => new UnlimitedTokens(cradle)) } },
    slice: ['updateLogStream'],
    failures: [
      'updateLogStream | token got for a key for another project | own: expected 404, got 200',
      'updateLogStream | token got for a key with max_role viewer | own: expected 403, got 200',
    ],
  },
  'runs that are found in any project': {
    settings: { overrides: { runDirectory: one(runsOfAllProjects) } },
    slice: ['countTraces'],
    failures: ['countTraces | API key | foreign log_stream_id: expected 404, got 200'],
  },
  'hidden groups that are shown': {
    settings: { overrides: { groupStore: asValue(new OpenGroupStore({ database: new MemoryDatabase() })) } },
    slice: ['getGroup', 'joinGroup'],
    failures: [
      'getGroup | API key | outsider of a hidden group: expected 404, got 200',
      'joinGroup | API key | outsider of a hidden group: expected 404, got 403',
    ],
  },
  'an audit log for everybody': {
    settings: {
      overrides: {
        auditService: one((cradle) => new AuditService({ ...toAuditDeps(cradle), authorizer: new AllowingAuthorizer(cradle) })),
      },
    },
    slice: ['listAuditLog'],
    failures: ['listAuditLog (of a project) | API key | foreign: expected 404, got 200'],
  },
  'a service that deletes before it asks': {
    settings: { overrides: { projectService: one((cradle) => new DeletesBeforeItAsks(cradle)) } },
    slice: ['deleteProject'],
    failures: ['deleteProject | API key | viewer: refused, and changed the object'],
  },
};

const toAuditDeps = ({ auditStore, auditTrail }: Cradle) => ({ auditStore, auditTrail });

async function getFailures({ settings, slice }: Pick<Control, 'settings' | 'slice'>): Promise<readonly string[]> {
  const fixture = await openAccessFixture(settings);
  try {
    const { failures } = await runMatrix(
      fixture,
      ACCESS_MATRIX.filter(({ operation }) => slice.includes(operation)),
    );
    return failures;
  } finally {
    await fixture.server.close();
  }
}

describe('the access matrix fails', () => {
  it.each(Object.entries(CONTROLS))('on %s', async (_, control) => {
    const failures = await getFailures(control);
    expect(failures).toEqual(expect.arrayContaining([...control.failures]));
  });

  it('on an object that is not there for its asker, and yet not as one that never was', async () => {
    const talkative = { authorizer: one((cradle) => new TalkativeAuthorizer(cradle)) };
    const failures = await getFailures({ settings: { overrides: talkative }, slice: ['getProject'] });
    const reported = failures.find((failure) => failure.startsWith('getProject | API key | foreign: '));
    expect(reported).toMatch(/not answered as what does not exist: .* is not yours.* and .* does not exist/);
  });
});
