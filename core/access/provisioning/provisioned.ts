import type { UserRole } from '../role.ts';

/** The state of a user that an identity provider decides. */
export interface UserFacts {
  /** The name that the provider knows the user by: unique without case, often the e-mail. */
  readonly user_name: string;
  /** As `normalEmail` gives it. */
  readonly email: string;
  readonly external_id: string | null;
  readonly display_name: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly role: UserRole;
  readonly is_active: boolean;
}

/** A user as an identity provider reads one. */
export interface ProvisionedUser extends UserFacts {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A group as an identity provider reads one. */
export interface ProvisionedGroup {
  readonly id: string;
  readonly name: string;
  readonly external_id: string | null;
  /** Without those who wait for approval; undefined where they were not asked for. */
  readonly members: readonly GroupEntry[] | undefined;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface GroupEntry {
  readonly user_id: string;
  readonly email: string;
}

/** Changes to a group. What is absent stays as it is. */
export interface GroupFacts {
  readonly name?: string;
  readonly external_id?: string | null;
  readonly members?: MemberChange;
}

/** Users to add and to take out; without `keeps` nobody stays but those to add. */
export interface MemberChange {
  readonly keeps: boolean;
  readonly add: ReadonlySet<string>;
  readonly remove: ReadonlySet<string>;
}

/** Conditions that all have to hold. At least one of a search has to be such that few can meet it: any but `is_active`. */
export type UserCondition =
  | { readonly name: 'id' | 'user_name' | 'external_id' | 'email'; readonly value: string }
  | { readonly name: 'is_active'; readonly value: boolean };

export interface GroupCondition {
  readonly name: 'id' | 'name' | 'external_id' | 'member';
  readonly value: string;
}

/** Of all that a search finds, and a part of them. */
export interface Found<T> {
  readonly total: number;
  readonly items: readonly T[];
}
