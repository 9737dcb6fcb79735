import { z } from 'zod';
import { Permission } from '../kernel/permission.ts';
import { type CollaboratorRole, UserRole } from './role.ts';

export const AUTH_METHODS = ['email', 'google', 'github', 'okta', 'azure-ad', 'custom', 'saml'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** What others see of a user. */
export const UserSummary = z
  .object({ id: z.string(), email: z.string(), first_name: z.string().nullable(), last_name: z.string().nullable() })
  .meta({ id: 'UserSummary' });
export type UserSummary = z.output<typeof UserSummary>;

/** A user as the API shows one. */
export const UserView = z
  .object({
    id: z.string(),
    permissions: z.array(Permission),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    auth_method: z.enum(AUTH_METHODS),
    role: UserRole,
    email_is_verified: z.boolean(),
    is_disabled: z.boolean(),
    organization_id: z.string(),
    organization_name: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'User' });
export type UserView = z.output<typeof UserView>;

/** A user as stored. `password_hash` never leaves the access capability. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly role: UserRole;
  readonly auth_method: AuthMethod;
  /** While false, the user cannot log in. */
  readonly email_is_verified: boolean;
  readonly is_disabled: boolean;
  /** PHC string; null for users who only come by key or social login. */
  readonly password_hash: string | null;
  /** Raised to end all tokens issued so far. */
  readonly token_version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The one organisation that an installation serves. */
export interface Organization {
  readonly id: string;
  readonly name: string;
}

/** A key as stored: the digest of the secret, never the secret. */
export interface ApiKey {
  readonly id: string;
  readonly user_id: string;
  /** SHA-256 of the whole key, hexadecimal. */
  readonly key_hash: string;
  readonly description: string;
  /** Last four characters, to tell keys apart. */
  readonly truncated: string;
  /** The only project the key reaches; null: all that its owner reaches. */
  readonly project_id: string | null;
  /** The most that the key may do on any object; null: as its owner. */
  readonly max_role: CollaboratorRole | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly created_at: string;
}

export const summaryOf = ({ id, email, first_name, last_name }: User): UserSummary => ({ id, email, first_name, last_name });

/** E-mail addresses are compared without case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** Whether the user may prove who they are at all, whatever the credentials. */
export const mayLogIn = ({ is_disabled, email_is_verified }: User): boolean => !is_disabled && email_is_verified;
