import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { Permission } from '../../kernel/permission.ts';
import type { Transactions } from '../../kernel/ports.ts';
import type { Authorizer } from '../authorizer.ts';
import type { Caller } from '../caller.ts';
import { mayInOrganization } from '../role.ts';
import type { CountedGroup, GroupRole, Visibility } from './group.ts';
import type { GroupStore, GroupViewer } from './group-store.ts';

/** Actions that a caller may be allowed on a group; lists report the actions that were asked for. */
export const GroupAction = z.enum(['update', 'list_members', 'join', 'request_to_join']);
export type GroupAction = z.output<typeof GroupAction>;

export const MemberAction = z.enum(['update_role', 'delete']);
export type MemberAction = z.output<typeof MemberAction>;

/** Status that joining gives, by the group's visibility; null: nothing, maintainers decide who comes in. */
const JOINING: Readonly<Record<Visibility, 'member' | 'pending' | null>> = {
  public: 'member',
  protected: 'pending',
  private: null,
  hidden: null,
};
const BY_INVITATION = 'members come into this group by invitation';

interface AccessDeps {
  readonly authorizer: Authorizer;
  readonly groupStore: GroupStore;
  readonly transactions: Transactions;
}

/** Who sees which group, and what they may do there. Managers and administrators see all and act as maintainers. */
export class GroupAccess {
  readonly #deps: AccessDeps;

  constructor(deps: AccessDeps) {
    this.#deps = deps;
  }

  /** Rejects with `forbidden` for keys made for one project: groups lie outside it. */
  viewer(caller: Caller): GroupViewer {
    this.#deps.authorizer.authorizeInOrganization(caller, 'read_users');
    return { user_id: caller.user_id, sees_all: managesGroups(caller) };
  }

  /** Rejects with `not_found` when there is no such group or the caller does not see it. */
  async find(caller: Caller, id: string): Promise<CountedGroup> {
    const group = await this.#deps.groupStore.find(id, this.viewer(caller));
    if (!group) throw new AppError('not_found', 'group_not_found', `group ${id} does not exist`);
    return group;
  }

  /**
   * Does the work in one transaction, while no other one can change the members. Only then the group is looked up, so
   * that it is decided by what is true now.
   */
  async change<T>(
    caller: Caller,
    id: string,
    work: (group: CountedGroup, maintainers: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const { authorizer, groupStore, transactions } = this.#deps;
    const done = await transactions.run(async () => {
      const maintainers = await groupStore.holdMaintainers(id);
      return work(await this.find(caller, id), maintainers);
    });
    authorizer.forget();
    return done;
  }

  authorize(caller: Caller, group: CountedGroup, action: 'update' | 'list_members'): void {
    refuse(this.#whyNot(caller, group, action));
  }

  authorizeOnMember(caller: Caller, group: CountedGroup, user_id: string, action: MemberAction): void {
    refuse(this.#whyNotMember(caller, group, user_id, action));
  }

  /** The role that joining gives. */
  authorizeJoining({ id, visibility }: CountedGroup): 'member' | 'pending' {
    const role = JOINING[visibility];
    if (role === null) throw new AppError('forbidden', 'group_by_invitation', `group ${id}: ${BY_INVITATION}`);
    return role;
  }

  permissions(caller: Caller, group: CountedGroup, actions: readonly GroupAction[]): Permission[] {
    return getPermissions(actions, (action) => this.#whyNot(caller, group, action));
  }

  memberPermissions(caller: Caller, group: CountedGroup, user_id: string, actions: readonly MemberAction[]): Permission[] {
    return getPermissions(actions, (action) => this.#whyNotMember(caller, group, user_id, action));
  }

  #whyNot(caller: Caller, group: CountedGroup, action: GroupAction): string | null {
    const { authorizer } = this.#deps;
    if (action === 'list_members') return whyNotListed(caller, group);
    if (action === 'update') return authorizer.whyNotInOrganization(caller, 'maintain_group') ?? whyNotMaintainer(caller, group);
    return authorizer.whyNotInOrganization(caller, 'join_group') ?? whyNotJoining(group, action);
  }

  #whyNotMember(caller: Caller, group: CountedGroup, user_id: string, action: MemberAction): string | null {
    const isLeaving = action === 'delete' && user_id === caller.user_id;
    if (isLeaving) return this.#deps.authorizer.whyNotInOrganization(caller, 'join_group');
    return this.#whyNot(caller, group, 'update');
  }
}

export const isIn = (role: GroupRole | null): boolean => role === 'member' || role === 'maintainer';

const managesGroups = ({ role }: Caller): boolean => mayInOrganization(role, 'manage_groups');

const whyNotMaintainer = (caller: Caller, { role }: CountedGroup): string | null =>
  role === 'maintainer' || managesGroups(caller) ? null : 'this is for maintainers of the group';

const whyNotListed = (caller: Caller, { role, visibility }: CountedGroup): string | null =>
  visibility === 'public' || isIn(role) || managesGroups(caller) ? null : 'the members of this group are shown to its members';

function whyNotJoining({ role, visibility }: CountedGroup, action: 'join' | 'request_to_join'): string | null {
  const joining = JOINING[visibility];
  if (isIn(role)) return 'you are in the group';
  if (joining === null) return BY_INVITATION;
  if (action === 'join') return joining === 'member' ? null : 'joining this group has to be asked for';
  if (joining === 'member') return 'everyone may join this group without asking';
  return role === 'pending' ? 'you have asked already' : null;
}

function getPermissions<A extends string>(actions: readonly A[], whyNot: (action: A) => string | null): Permission[] {
  return [...new Set(actions)].map((action) => {
    const message = whyNot(action);
    return { action, allowed: message === null, message };
  });
}

function refuse(reason: string | null): void {
  if (reason !== null) throw new AppError('forbidden', 'role_too_low', reason);
}
