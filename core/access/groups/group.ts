import { z } from 'zod';
import { withDefault } from '../../kernel/optional.ts';
import { Permission } from '../../kernel/permission.ts';
import { enumFilter, type Filter, filterList, stringFilter } from '../../kernel/query/filter.ts';
import { type Sort, sortBy } from '../../kernel/query/sort.ts';
import { cleanText, Id } from '../../kernel/text.ts';

/**
 * `public`: listed, free to join. `protected`: listed, joining needs approval. `private`: listed, by invitation only.
 * `hidden`: does not exist for who is not in it.
 */
const VISIBILITIES = ['public', 'private', 'hidden', 'protected'] as const;
export const Visibility = z.enum(VISIBILITIES);
export type Visibility = z.output<typeof Visibility>;

/** `pending` has asked to join and has no rights. */
export const GroupRole = z.enum(['maintainer', 'member', 'pending']);
export type GroupRole = z.output<typeof GroupRole>;

/** A group as stored. */
export interface StoredGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A membership as stored. */
export interface StoredMember {
  readonly id: string;
  readonly group_id: string;
  readonly user_id: string;
  readonly role: GroupRole;
  readonly created_at: string;
}

/** A group with what the database counts: its size without pending members, and the role of who asks. */
export type CountedGroup = StoredGroup & { readonly size: number; readonly role: GroupRole | null };

export const Group = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Members and maintainers; pending ones do not count. */
    size: z.int(),
    created_at: z.string(),
    permissions: z.array(Permission),
    description: z.string(),
    visibility: Visibility,
    /** Null when the caller is not in the group. */
    role: GroupRole.nullable(),
  })
  .meta({ id: 'Group' });
export type Group = z.output<typeof Group>;

export const GroupMember = z
  .object({
    id: z.string(),
    user_id: z.string(),
    email: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    role: GroupRole,
    /** The same by the name that some clients read. */
    group_role: GroupRole,
    created_at: z.string(),
    permissions: z.array(Permission),
  })
  .meta({ id: 'GroupMember' });
export type GroupMember = z.output<typeof GroupMember>;

const GroupName = cleanText(1, 128).refine((name) => name.trim().length > 0, { message: 'is blank' });
const Description = cleanText(0, 10_000);

export const NewGroup = z
  .object({ name: GroupName, description: withDefault(Description, ''), visibility: withDefault(Visibility, 'private') })
  .meta({ id: 'NewGroup' });
export type NewGroup = z.output<typeof NewGroup>;

/** Absent and null fields stay as they are. */
export const GroupUpdate = z
  .object({ name: GroupName.nullish(), description: Description.nullish(), visibility: Visibility.nullish() })
  .meta({ id: 'GroupUpdate' });
export type GroupUpdate = z.output<typeof GroupUpdate>;

const eitherName = { role: GroupRole.nullish(), group_role: GroupRole.nullish() };

/** The role by either of its names; `member` without one. */
export const NewMembers = z
  .array(
    z.object({ user_id: Id, ...eitherName }).transform(({ user_id, role, group_role }) => ({
      user_id,
      role: role ?? group_role ?? ('member' as const),
    })),
  )
  .min(1)
  .max(1000);
export type NewMembers = z.output<typeof NewMembers>;

/** The role by either of its names. */
export const MemberUpdate = z
  .object(eitherName)
  .transform(({ role, group_role }, ctx): { role: GroupRole } => {
    const given = role ?? group_role;
    if (given) return { role: given };
    ctx.addIssue({ code: 'invalid_type', expected: 'string', path: ['role'], message: 'field required', input: undefined });
    return z.NEVER;
  })
  .meta({ id: 'GroupMemberUpdate' });
export type MemberUpdate = z.output<typeof MemberUpdate>;

export type GroupFilter = Filter<'name' | 'visibility'>;
export type GroupSort = Sort<'name' | 'created_at' | 'size'>;
export const GROUPS_BY_NAME: GroupSort = { name: 'name', ascending: true };

export const GroupSearch = z
  .object({
    filters: filterList(z.discriminatedUnion('name', [stringFilter('name'), enumFilter('visibility', VISIBILITIES)])),
    sort: sortBy({ name: 'column', created_at: 'column', size: 'custom' }, GROUPS_BY_NAME),
  })
  .meta({ id: 'GroupSearch' });
export type GroupSearch = z.output<typeof GroupSearch>;
