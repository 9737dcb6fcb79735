import type { Slice } from '../../kernel/query/page.ts';
import type { CountedGroup, GroupFilter, GroupRole, GroupSort, StoredGroup, StoredMember } from './group.ts';

export type GroupChanges = Partial<Pick<StoredGroup, 'name' | 'description' | 'visibility'>> & Pick<StoredGroup, 'updated_at'>;

/** Who looks at groups: hidden groups exist only for who is in them, `sees_all` apart. */
export interface GroupViewer {
  readonly user_id: string;
  readonly sees_all: boolean;
}

/** Groups of users. Values handed in or out belong to the caller. Ids are in lower case. */
export interface GroupStore {
  /** All there are, hidden ones too. */
  count(): Promise<number>;
  /** Rejects with AppError `conflict` when the id or the name is taken. */
  insert(group: StoredGroup): Promise<void>;
  /** Undefined when there is no such group, or it is hidden from the viewer. `role` is the viewer's, pending included. */
  find(id: string, viewer: GroupViewer): Promise<CountedGroup | undefined>;
  /** The stored groups of these ids, hidden ones too, in any order. */
  findMany(ids: readonly string[]): Promise<StoredGroup[]>;
  /** Those the viewer sees, by filters and sort, ties by ascending id. Texts order by code point. */
  list(viewer: GroupViewer, filters: readonly GroupFilter[], sort: GroupSort, slice: Slice): Promise<CountedGroup[]>;
  /** Returns whether there was one. Rejects with AppError `conflict` when the name is taken. */
  update(id: string, changes: GroupChanges): Promise<boolean>;
  /** Removes the group with its members. Returns whether there was one. */
  remove(id: string): Promise<boolean>;

  /** Groups that the user is a member or maintainer of. */
  toGroups(user_id: string): Promise<string[]>;
  /** Adds members; who is in the group already keeps id and timestamp and gets the new role. Returns them in the order given. */
  putMembers(members: readonly StoredMember[]): Promise<StoredMember[]>;
  findMember(group_id: string, user_id: string): Promise<StoredMember | undefined>;
  /** Oldest first, then by id; pending members too. */
  listMembers(group_id: string, slice: Slice): Promise<StoredMember[]>;
  updateMember(group_id: string, user_id: string, role: GroupRole): Promise<StoredMember | undefined>;
  /** Returns whether there was one. */
  removeMember(group_id: string, user_id: string): Promise<boolean>;
  /** Who is not in the group is not an error. */
  removeMembers(group_id: string, user_ids: readonly string[]): Promise<void>;
  /** Takes the user out of all groups. */
  removeUserEverywhere(user_id: string): Promise<void>;
  /**
   * Ids of the maintainers; inside a transaction, no other one can change the members until that ends. Every change
   * that may take a maintainer away MUST ask this first.
   */
  holdMaintainers(group_id: string): Promise<string[]>;
}
