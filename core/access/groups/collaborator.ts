import { z } from 'zod';
import { withDefault } from '../../kernel/optional.ts';
import { Permission } from '../../kernel/permission.ts';
import { cleanText, Id } from '../../kernel/text.ts';
import { CollaboratorRole } from '../role.ts';

/** A user's role on an object, as stored. */
export interface UserCollaboration {
  readonly id: string;
  readonly user_id: string;
  readonly role: CollaboratorRole;
  readonly created_at: string;
}

/** The role that the members of a group have on an object, as stored. */
export interface GroupCollaboration {
  readonly id: string;
  readonly group_id: string;
  readonly role: CollaboratorRole;
  readonly created_at: string;
}

export const UserCollaborator = z
  .object({
    id: z.string(),
    role: CollaboratorRole,
    created_at: z.string(),
    user_id: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    email: z.string(),
    permissions: z.array(Permission),
  })
  .meta({ id: 'UserCollaborator' });
export type UserCollaborator = z.output<typeof UserCollaborator>;

export const GroupCollaborator = z
  .object({
    id: z.string(),
    role: CollaboratorRole,
    created_at: z.string(),
    group_id: z.string(),
    group_name: z.string(),
    permissions: z.array(Permission),
  })
  .meta({ id: 'GroupCollaborator' });
export type GroupCollaborator = z.output<typeof GroupCollaborator>;

const MAX_AT_ONCE = 1000;
const Role = withDefault(CollaboratorRole, 'viewer');

/** The user is named by id or by e-mail, by exactly one of them. */
export const NewUserCollaborator = z
  .object({ role: Role, user_id: Id.nullish(), user_email: cleanText(1, 320).nullish() })
  .refine(({ user_id, user_email }) => (user_id ?? null) === null || (user_email ?? null) === null, {
    path: ['user_email'],
    message: 'name the user by id or by e-mail, not by both',
  })
  .refine(({ user_id, user_email }) => (user_id ?? user_email ?? null) !== null, {
    path: ['user_id'],
    message: 'name the user by id or by e-mail',
  })
  .meta({ id: 'NewUserCollaborator' });
export type NewUserCollaborator = z.output<typeof NewUserCollaborator>;
export const NewUserCollaborators = z.array(NewUserCollaborator).min(1).max(MAX_AT_ONCE);

export const NewGroupCollaborator = z.object({ role: Role, group_id: Id }).meta({ id: 'NewGroupCollaborator' });
export type NewGroupCollaborator = z.output<typeof NewGroupCollaborator>;
export const NewGroupCollaborators = z.array(NewGroupCollaborator).min(1).max(MAX_AT_ONCE);

/** Without a role nothing changes. */
export const CollaboratorUpdate = z.object({ role: CollaboratorRole.nullish() }).meta({ id: 'CollaboratorUpdate' });
export type CollaboratorUpdate = z.output<typeof CollaboratorUpdate>;
