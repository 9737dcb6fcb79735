import type { Permission } from '../../kernel/permission.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../../kernel/query/page.ts';
import type { AuditEvent } from '../audit/audit.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Authorizer } from '../authorizer.ts';
import type { Caller } from '../caller.ts';
import type { ProvisioningStore } from '../provisioning/provisioning-store.ts';
import type { CollaboratorStore } from './collaborator-store.ts';
import type { CountedGroup, Group, GroupSearch, GroupUpdate, NewGroup, StoredGroup } from './group.ts';
import { GroupAccess, type GroupAction } from './group-access.ts';
import type { GroupChanges, GroupStore } from './group-store.ts';

export interface GroupDeps {
  readonly groupStore: GroupStore;
  readonly collaboratorStore: CollaboratorStore;
  readonly provisioningStore: Pick<ProvisioningStore, 'remove'>;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Groups of users. Who sees one that may not do this to it gets `forbidden`; for all others it does not exist. */
export class GroupService {
  readonly #deps: GroupDeps;
  readonly #access: GroupAccess;

  constructor(deps: GroupDeps) {
    this.#deps = deps;
    this.#access = new GroupAccess(deps);
  }

  /** The caller becomes its maintainer. */
  async createGroup(caller: Caller, input: NewGroup): Promise<Group> {
    const { groupStore, authorizer, auditTrail, transactions, clock, newId } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'create_group');
    const now = clock().toISOString();
    const { user_id } = caller;
    const group: StoredGroup = { ...input, id: newId(), created_by: user_id, created_at: now, updated_at: now };
    await transactions.run(async () => {
      await groupStore.insert(group);
      await groupStore.putMembers([{ id: newId(), group_id: group.id, user_id, role: 'maintainer', created_at: now }]);
      await auditTrail.note(caller, toEvent(group, 'group.create', { name: group.name, visibility: group.visibility }));
    });
    authorizer.forget();
    return shown({ ...group, size: 1, role: 'maintainer' }, []);
  }

  async searchGroups(
    caller: Caller,
    { filters, sort }: GroupSearch,
    wanted: PageRequest,
    actions: readonly GroupAction[],
  ): Promise<PageFields & { groups: Group[] }> {
    const rows = await this.#deps.groupStore.list(this.#access.viewer(caller), filters, sort, sliceFor(wanted));
    const { items, page } = toPage(rows, wanted);
    return { ...page, groups: items.map((group) => shown(group, this.#access.permissions(caller, group, actions))) };
  }

  async getGroup(caller: Caller, id: string, actions: readonly GroupAction[]): Promise<Group> {
    const group = await this.#access.find(caller, id);
    return shown(group, this.#access.permissions(caller, group, actions));
  }

  updateGroup(caller: Caller, id: string, update: GroupUpdate): Promise<Group> {
    const { groupStore, auditTrail, clock } = this.#deps;
    return this.#access.change(caller, id, async (before) => {
      this.#access.authorize(caller, before, 'update');
      const changes = toChanges(before, update);
      if (Object.keys(changes).length === 0) return shown(before, []);
      await groupStore.update(id, { ...changes, updated_at: clock().toISOString() });
      await auditTrail.note(caller, toEvent(before, 'group.update', toDetails(before, changes)));
      return shown({ ...before, ...changes }, []);
    });
  }

  /** Takes the group off all objects shared with it, too. */
  deleteGroup(caller: Caller, id: string): Promise<{ message: string }> {
    const { groupStore, collaboratorStore, provisioningStore, auditTrail } = this.#deps;
    return this.#access.change(caller, id, async (group) => {
      this.#access.authorize(caller, group, 'update');
      await collaboratorStore.removeGroupEverywhere(id);
      await groupStore.remove(id);
      await provisioningStore.remove('group', id);
      await auditTrail.note(caller, toEvent(group, 'group.delete', { name: group.name }));
      return { message: `group ${id} was deleted` };
    });
  }
}

type Changes = Omit<GroupChanges, 'updated_at'>;

function toChanges(before: StoredGroup, { name, description, visibility }: GroupUpdate): Changes {
  return {
    ...(name && name !== before.name ? { name } : {}),
    ...(typeof description === 'string' && description !== before.description ? { description } : {}),
    ...(visibility && visibility !== before.visibility ? { visibility } : {}),
  };
}

/** Descriptions are long; that one changed is enough. */
function toDetails(before: StoredGroup, { name, description, visibility }: Changes): AuditEvent['details'] {
  return {
    ...(name === undefined ? {} : { name_before: before.name, name_after: name }),
    ...(description === undefined ? {} : { description_changed: true }),
    ...(visibility === undefined ? {} : { visibility_before: before.visibility, visibility_after: visibility }),
  };
}

const toEvent = ({ id }: StoredGroup, action: string, details: AuditEvent['details']): AuditEvent => ({
  action,
  object_kind: 'group',
  object_id: id,
  details,
});

function shown({ created_by: _, updated_at: __, ...group }: CountedGroup, permissions: Permission[]): Group {
  return { ...group, permissions };
}
