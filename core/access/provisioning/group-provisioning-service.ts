import { AppError } from '../../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import type { Slice } from '../../kernel/query/page.ts';
import { Id } from '../../kernel/text.ts';
import type { AccessStore } from '../access-store.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Authorizer } from '../authorizer.ts';
import type { Caller } from '../caller.ts';
import type { CountedGroup, GroupFilter, StoredGroup, StoredMember } from '../groups/group.ts';
import type { GroupService } from '../groups/group-service.ts';
import type { GroupStore } from '../groups/group-store.ts';
import type { Found, GroupCondition, GroupEntry, GroupFacts, MemberChange, ProvisionedGroup } from './provisioned.ts';
import type { ProvisioningStore } from './provisioning-store.ts';

/** Users that one request may name as members. */
export const MAX_MEMBERS_NAMED = 10_000;
/** Members that one list of groups may hold: it ends early, after one group at least. */
const MAX_MEMBERS_LISTED = 10_000;
const MAX_OF_EXTERNAL_ID = 100;
const PAGE = 1_000;
/** Ids in one line of the audit log. */
const IDS_NOTED = 100;

export interface GroupProvisioningDeps {
  readonly groupService: GroupService;
  readonly groupStore: GroupStore;
  readonly accessStore: AccessStore;
  readonly provisioningStore: ProvisioningStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

export type NewProvisionedGroup = Required<Pick<GroupFacts, 'name' | 'external_id'>> & { readonly members: MemberChange };

/**
 * Groups as an identity provider keeps them. It decides who is in one: whoever it takes out is out, maintainers too. Those who come in are
 * members; who is a maintainer already stays one.
 */
export class GroupProvisioningService {
  readonly #deps: GroupProvisioningDeps;

  constructor(deps: GroupProvisioningDeps) {
    this.#deps = deps;
  }

  /** A private group, without a maintainer. Rejects with `conflict` when the name is taken, `invalid` for unknown users. */
  async create(caller: Caller, { name, external_id, members }: NewProvisionedGroup): Promise<ProvisionedGroup> {
    const { authorizer, groupStore, auditTrail, clock, newId } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'provision');
    const now = clock().toISOString();
    const visibility = 'private' as const;
    const made = { created_by: caller.user_id, created_at: now, updated_at: now };
    const group: StoredGroup = { id: newId(), name, description: '', visibility, ...made };
    return this.#change(async () => {
      await groupStore.insert(group);
      await this.#put(group.id, external_id);
      const details = { name, visibility };
      await auditTrail.note(caller, { action: 'group.create', object_kind: 'group', object_id: group.id, details });
      await this.#changeMembers(caller, group.id, members);
      return this.#shownOne(caller, group.id, true);
    });
  }

  /** Rejects with `not_found` when there is no such group. */
  async get(caller: Caller, id: string, withMembers: boolean): Promise<ProvisionedGroup> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'provision');
    return this.#shownOne(caller, requireId(id), withMembers);
  }

  /** Oldest first without conditions. With members it may end before `slice` does; see `MAX_MEMBERS_LISTED`. */
  async search(
    caller: Caller,
    conditions: readonly GroupCondition[],
    slice: Slice,
    withMembers: boolean,
  ): Promise<Found<ProvisionedGroup>> {
    const { authorizer, groupStore } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'provision');
    if (conditions.length === 0) {
      const oldestFirst = { name: 'created_at', ascending: true } as const;
      const groups = await groupStore.list(seeingAll(caller), [], oldestFirst, slice);
      return { total: await groupStore.count(), items: await this.#shown(groups, withMembers) };
    }
    const found = await this.#find(caller, conditions);
    const groups = found.slice(slice.offset, slice.offset + slice.limit);
    return { total: found.length, items: await this.#shown(groups, withMembers) };
  }

  /** Rejects as `create` does. */
  async update(caller: Caller, given: string, { name, external_id, members }: GroupFacts): Promise<void> {
    const { authorizer, groupStore, groupService } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'provision');
    const id = requireId(given);
    await this.#change(async () => {
      await groupStore.holdMaintainers(id);
      if (!(await groupStore.find(id, seeingAll(caller)))) throw groupNotFound(id);
      if (name !== undefined) await groupService.updateGroup(caller, id, { name });
      if (external_id !== undefined) await this.#put(id, external_id);
      if (members) await this.#changeMembers(caller, id, members);
    });
  }

  /** Takes the group off all objects shared with it, too. */
  async remove(caller: Caller, id: string): Promise<void> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'provision');
    await this.#deps.groupService.deleteGroup(caller, requireId(id));
  }

  async #change<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.#deps.transactions.run(work);
    this.#deps.authorizer.forget();
    return done;
  }

  #put(id: string, external_id: string | null): Promise<void> {
    const names = { user_name: null, user_name_key: null, display_name: null };
    return this.#deps.provisioningStore.put({ kind: 'group', id, external_id, ...names });
  }

  async #changeMembers(caller: Caller, group_id: string, { keeps, add, remove }: MemberChange): Promise<void> {
    const { groupStore, clock, newId } = this.#deps;
    const current = new Map((await this.#listMembers(group_id)).map((member) => [member.user_id, member.role]));
    const added = [...add].filter((user_id) => (current.get(user_id) ?? 'pending') === 'pending');
    const leaves = (user_id: string) => !add.has(user_id) && (!keeps || remove.has(user_id));
    const removed = [...current.keys()].filter(leaves);
    await this.#refuseUnknownUsers(added);
    const created_at = clock().toISOString();
    const rows = added.map((user_id) => ({ id: newId(), group_id, user_id, role: 'member' as const, created_at }));
    for (const part of inParts(rows, PAGE)) await groupStore.putMembers(part);
    for (const part of inParts(removed, PAGE)) await groupStore.removeMembers(group_id, part);
    await this.#note(caller, group_id, 'add', added);
    await this.#note(caller, group_id, 'remove', removed);
  }

  async #note(caller: Caller, object_id: string, verb: 'add' | 'remove', ids: readonly string[]): Promise<void> {
    for (const part of inParts(ids, IDS_NOTED)) {
      const details = { count: part.length, user_ids: part.join(' ') };
      await this.#deps.auditTrail.note(caller, { action: `group_members.${verb}`, object_kind: 'group', object_id, details });
    }
  }

  async #refuseUnknownUsers(ids: readonly string[]): Promise<void> {
    for (const part of inParts(ids, PAGE)) {
      const known = new Set((await this.#deps.accessStore.listUsers(part)).map(({ id }) => id));
      const unknown = part.find((id) => !known.has(id));
      if (unknown !== undefined) throw new AppError('invalid', 'user_unknown', `user ${unknown} does not exist`);
    }
  }

  async #listMembers(group_id: string): Promise<StoredMember[]> {
    const members: StoredMember[] = [];
    for (;;) {
      const page = await this.#deps.groupStore.listMembers(group_id, { offset: members.length, limit: PAGE });
      members.push(...page);
      if (page.length < PAGE) return members;
    }
  }

  /** Those who meet the first condition, as far as they meet the others. */
  async #find(caller: Caller, conditions: readonly GroupCondition[]): Promise<CountedGroup[]> {
    const { groupStore } = this.#deps;
    let ids: Set<string> | undefined;
    for (const condition of conditions) {
      const meeting = await this.#listIds(caller, condition);
      ids = new Set(meeting.filter((id) => ids?.has(id) ?? true));
    }
    const found = await Promise.all([...ids!].map((id) => groupStore.find(id, seeingAll(caller))));
    return found.filter((group) => group !== undefined);
  }

  async #listIds(caller: Caller, { name, value }: GroupCondition): Promise<string[]> {
    const { groupStore, provisioningStore } = this.#deps;
    if (name === 'name') {
      const filter: GroupFilter = { family: 'string', name: 'name', operator: 'eq', values: [value], case_sensitive: false };
      const slice = { offset: 0, limit: MAX_OF_EXTERNAL_ID };
      const groups = await groupStore.list(seeingAll(caller), [filter], { name: 'name', ascending: true }, slice);
      return groups.map(({ id }) => id);
    }
    if (name === 'external_id') {
      const known = await provisioningStore.listByExternalId('group', value, MAX_OF_EXTERNAL_ID);
      return known.map(({ id }) => id);
    }
    const id = Id.safeParse(value);
    if (!id.success) return [];
    return name === 'member' ? groupStore.toGroups(id.data) : [id.data];
  }

  async #shownOne(caller: Caller, id: string, withMembers: boolean): Promise<ProvisionedGroup> {
    const group = await this.#deps.groupStore.find(id, seeingAll(caller));
    if (!group) throw groupNotFound(id);
    const [shown] = await this.#shown([group], withMembers);
    return shown!;
  }

  async #shown(groups: readonly CountedGroup[], withMembers: boolean): Promise<ProvisionedGroup[]> {
    const { provisioningStore } = this.#deps;
    const ids = groups.map(({ id }) => id);
    const known = new Map((await provisioningStore.findMany('group', ids)).map((one) => [one.id, one.external_id]));
    const shown: ProvisionedGroup[] = [];
    let held = 0;
    for (const { id, name, size, created_at, updated_at } of groups) {
      held += withMembers ? size : 0;
      if (held > MAX_MEMBERS_LISTED && shown.length > 0) break;
      const members = withMembers ? await this.#listEntries(id) : undefined;
      shown.push({ id, name, external_id: known.get(id) ?? null, members, created_at, updated_at });
    }
    return shown;
  }

  async #listEntries(group_id: string): Promise<GroupEntry[]> {
    const members = (await this.#listMembers(group_id)).filter(({ role }) => role !== 'pending');
    const emails = new Map<string, string>();
    for (const part of inParts(members, PAGE)) {
      const users = await this.#deps.accessStore.listUsers(part.map(({ user_id }) => user_id));
      for (const { id, email } of users) emails.set(id, email);
    }
    return members.map(({ user_id }) => ({ user_id, email: emails.get(user_id) ?? '' }));
  }
}

const seeingAll = ({ user_id }: Caller) => ({ user_id, sees_all: true });

const groupNotFound = (id: string): AppError => new AppError('not_found', 'group_not_found', `group ${id} does not exist`);

function requireId(id: string): string {
  const parsed = Id.safeParse(id);
  if (!parsed.success) throw groupNotFound(id);
  return parsed.data;
}

function inParts<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size));
  return parts;
}
