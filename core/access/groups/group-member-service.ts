import { AppError, type Issue } from '../../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage } from '../../kernel/query/page.ts';
import type { AccessStore } from '../access-store.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Authorizer } from '../authorizer.ts';
import type { Caller } from '../caller.ts';
import { toUserSummary } from '../users/user.ts';
import type { CountedGroup, GroupMember, GroupRole, MemberUpdate, NewMembers, StoredMember } from './group.ts';
import { GroupAccess, isIn, type MemberAction } from './group-access.ts';
import type { GroupStore } from './group-store.ts';

export interface GroupMemberDeps {
  readonly groupStore: GroupStore;
  readonly accessStore: AccessStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

type Verb = 'add' | 'update' | 'remove' | 'join';
type Role = GroupRole | null;

/** Who is in which group. A group that has a maintainer keeps one for as long as it exists. */
export class GroupMemberService {
  readonly #deps: GroupMemberDeps;
  readonly #access: GroupAccess;

  constructor(deps: GroupMemberDeps) {
    this.#deps = deps;
    this.#access = new GroupAccess(deps);
  }

  async listMembers(
    caller: Caller,
    id: string,
    wanted: PageRequest,
    actions: readonly MemberAction[],
  ): Promise<PageFields & { members: GroupMember[] }> {
    const group = await this.#access.find(caller, id);
    this.#access.authorize(caller, group, 'list_members');
    const { items, page } = toPage(await this.#deps.groupStore.listMembers(id, sliceFor(wanted)), wanted);
    return { ...page, members: await this.#shown(caller, group, items, actions) };
  }

  /** Who is in the group already gets the new role. */
  async addMembers(caller: Caller, id: string, input: NewMembers): Promise<GroupMember[]> {
    refuseDuplicates(input);
    return this.#access.change(caller, id, async (group, maintainers) => {
      this.#access.authorize(caller, group, 'update');
      await this.#refuseUnknownUsers(input);
      refuseLosingMaintainers(maintainers, input, ['body']);
      return this.#shown(caller, group, await this.#put(caller, group, 'add', input), []);
    });
  }

  updateMember(caller: Caller, id: string, user_id: string, { role }: MemberUpdate): Promise<GroupMember> {
    return this.#access.change(caller, id, async (group, maintainers) => {
      this.#access.authorizeOnMember(caller, group, user_id, 'update_role');
      await this.#find(group, user_id);
      refuseLosingMaintainers(maintainers, [{ user_id, role }], ['body', 'role']);
      return this.#shownOne(caller, group, await this.#put(caller, group, 'update', [{ user_id, role }]));
    });
  }

  /** Members leave by removing themselves. */
  removeMember(caller: Caller, id: string, user_id: string): Promise<{ message: string }> {
    return this.#access.change(caller, id, async (group, maintainers) => {
      this.#access.authorizeOnMember(caller, group, user_id, 'delete');
      const { role } = await this.#find(group, user_id);
      refuseLosingMaintainers(maintainers, [{ user_id, role: null }], ['path', 'user_id']);
      await this.#deps.groupStore.removeMember(id, user_id);
      await this.#note(caller, group, 'remove', user_id, role, null);
      return { message: `user ${user_id} is no longer in group ${id}` };
    });
  }

  /** Who is in the group or waits for approval keeps the role, unless approval is no longer asked for. */
  join(caller: Caller, id: string): Promise<GroupMember> {
    const { user_id } = caller;
    return this.#access.change(caller, id, async (group) => {
      this.#deps.authorizer.authorizeInOrganization(caller, 'join_group');
      const known = await this.#deps.groupStore.findMember(id, user_id);
      const isSettled = known && (isIn(known.role) || group.visibility !== 'public');
      if (isSettled) return this.#shownOne(caller, group, [known]);
      const role = this.#access.authorizeJoining(group);
      return this.#shownOne(caller, group, await this.#put(caller, group, 'join', [{ user_id, role }]));
    });
  }

  async #find({ id }: CountedGroup, user_id: string): Promise<StoredMember> {
    const member = await this.#deps.groupStore.findMember(id, user_id);
    if (!member) throw new AppError('not_found', 'group_member_not_found', `user ${user_id} is not in group ${id}`);
    return member;
  }

  /** Gives the users their roles and notes those that changed. */
  async #put(caller: Caller, group: CountedGroup, verb: Verb, wanted: NewMembers): Promise<StoredMember[]> {
    const { groupStore, clock, newId } = this.#deps;
    const created_at = clock().toISOString();
    const before = new Map<string, Role>();
    for (const { user_id } of wanted) before.set(user_id, (await groupStore.findMember(group.id, user_id))?.role ?? null);
    const members = wanted.map((one) => ({ ...one, id: newId(), group_id: group.id, created_at }));
    const after = await groupStore.putMembers(members);
    for (const { user_id, role } of after) {
      const previous = before.get(user_id) ?? null;
      if (previous !== role) await this.#note(caller, group, verb, user_id, previous, role);
    }
    return after;
  }

  #note(caller: Caller, { id }: CountedGroup, verb: Verb, user_id: string, role_before: Role, role_after: Role): Promise<void> {
    const details = { user_id, role_before, role_after };
    return this.#deps.auditTrail.note(caller, { action: `group_member.${verb}`, object_kind: 'group', object_id: id, details });
  }

  async #refuseUnknownUsers(input: NewMembers): Promise<void> {
    const users = await this.#deps.accessStore.listUsers(input.map(({ user_id }) => user_id));
    const known = new Set(users.map(({ id }) => id));
    const issues = input.flatMap(({ user_id }, index) =>
      known.has(user_id) ? [] : [toIssue(index, user_id, 'user_unknown', 'no such user')],
    );
    if (issues.length > 0) throw new AppError('invalid', 'user_unknown', 'a user to be added does not exist', { issues });
  }

  async #shownOne(caller: Caller, group: CountedGroup, members: readonly StoredMember[]): Promise<GroupMember> {
    const [member] = await this.#shown(caller, group, members, []);
    return member!;
  }

  async #shown(
    caller: Caller,
    group: CountedGroup,
    members: readonly StoredMember[],
    actions: readonly MemberAction[],
  ): Promise<GroupMember[]> {
    const users = await this.#deps.accessStore.listUsers(members.map(({ user_id }) => user_id));
    const known = new Map(users.map((user) => [user.id, toUserSummary(user)]));
    return members.map(({ group_id: _, ...member }) => ({
      ...(known.get(member.user_id) ?? NOBODY),
      ...member,
      group_role: member.role,
      permissions: this.#access.memberPermissions(caller, group, member.user_id, actions),
    }));
  }
}

/** A user that is being deleted while the list is read. */
const NOBODY = { email: '', first_name: null, last_name: null };

function refuseDuplicates(input: NewMembers): void {
  const seen = new Set<string>();
  const issues = input.flatMap(({ user_id }, index) => {
    if (seen.has(user_id)) return [toIssue(index, user_id, 'member_repeated', 'stands in the list already')];
    seen.add(user_id);
    return [];
  });
  if (issues.length > 0) throw new AppError('invalid', 'member_repeated', 'a user stands in the list twice', { issues });
}

const toIssue = (index: number, user_id: string, type: string, msg: string): Issue => ({
  loc: ['body', index, 'user_id'],
  msg,
  type,
  input: user_id,
});

/** Whoever is left without one can only be helped by managers and administrators. */
function refuseLosingMaintainers(
  maintainers: readonly string[],
  changes: readonly { readonly user_id: string; readonly role: Role }[],
  loc: Issue['loc'],
): void {
  const left = new Set(maintainers);
  for (const { user_id, role } of changes) {
    if (role === 'maintainer') left.add(user_id);
    else left.delete(user_id);
  }
  if (maintainers.length === 0 || left.size > 0) return;
  const msg = 'the group would be left without a maintainer';
  throw new AppError('invalid', 'last_maintainer', msg, { issues: [{ loc, msg, type: 'last_maintainer' }] });
}
