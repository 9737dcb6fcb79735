import type { Slice } from '../../kernel/query/page.ts';
import type { CollaboratorRole, ObjectKind, ObjectRef } from '../role.ts';
import type { GroupCollaboration, UserCollaboration } from './collaborator.ts';

/** A user together with the groups whose rights they have. */
export interface Subject {
  readonly user_id: string;
  /** Groups that the user is a member or maintainer of. */
  readonly group_ids: readonly string[];
}

/**
 * Who has which role on which object. Every object that exists has at least one user who owns it; what has no
 * collaborator does not exist. Values handed in or out belong to the caller.
 */
export interface CollaboratorStore {
  /** All roles of the subject on the object, own and by groups, in any order. */
  rolesOn(object: ObjectRef, subject: Subject): Promise<CollaboratorRole[]>;
  /** Whether the object has any collaborator. */
  isShared(object: ObjectRef): Promise<boolean>;
  /** The highest role of the subject on each object of the kind that it has one on. */
  rolesByObject(kind: ObjectKind, subject: Subject): Promise<Map<string, CollaboratorRole>>;

  /** Adds the users; whoever is a collaborator already keeps id and timestamp and gets the new role. Returns them in the order given. */
  putUsers(object: ObjectRef, users: readonly UserCollaboration[]): Promise<UserCollaboration[]>;
  /** As `putUsers`. */
  putGroups(object: ObjectRef, groups: readonly GroupCollaboration[]): Promise<GroupCollaboration[]>;
  findUser(object: ObjectRef, user_id: string): Promise<UserCollaboration | undefined>;
  findGroup(object: ObjectRef, group_id: string): Promise<GroupCollaboration | undefined>;
  /** Oldest first, then by id. */
  listUsers(object: ObjectRef, slice: Slice): Promise<UserCollaboration[]>;
  /** Oldest first, then by id. */
  listGroups(object: ObjectRef, slice: Slice): Promise<GroupCollaboration[]>;
  /** Returns whether there was one. */
  removeUser(object: ObjectRef, user_id: string): Promise<boolean>;
  /** Returns whether there was one. */
  removeGroup(object: ObjectRef, group_id: string): Promise<boolean>;
  /**
   * Ids of the users who own the object; inside a transaction, no other one can change the owners until that ends.
   * Every change that may take an owner away MUST ask this first.
   */
  holdOwners(object: ObjectRef): Promise<string[]>;

  /** Objects of every kind that no other user owns. Inside a transaction as `holdOwners` for each of them. */
  holdOwnedAlone(user_id: string): Promise<ObjectRef[]>;
  /** Takes the user off all objects. */
  removeUserEverywhere(user_id: string): Promise<void>;
  /** Takes the group off all objects. */
  removeGroupEverywhere(group_id: string): Promise<void>;
  /** Removes all collaborators of an object that is being deleted. */
  removeObject(object: ObjectRef): Promise<void>;
}
