import { z } from 'zod';
import { withDefault } from '../../kernel/optional.ts';
import { Permission } from '../../kernel/permission.ts';
import { cleanText, isCleanText } from '../../kernel/text.ts';
import { type ApiKeyPurpose, type CollaboratorRole, UserRole } from '../role.ts';

export const AUTH_METHODS = ['email', 'google', 'github', 'okta', 'azure-ad', 'custom', 'saml'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

/** Public part of a user. */
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

/** An e-mail address in a request, as it is stored. */
export const Email = z.string().trim().toLowerCase().max(320).pipe(z.email());

const PERSON_NAME = cleanText(0, 255);
const MIN_PASSWORD_BYTES = 8;
const MAX_PASSWORD_BYTES = 1024;
const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Counted as it is sent and as it is hashed: in Unicode's normal form NFKC, which may be shorter or longer. */
export const Password = z
  .string()
  .refine(isCleanText, { message: 'contains a NUL or a lone surrogate' })
  .refine((text) => byteLength(text.normalize('NFKC')) >= MIN_PASSWORD_BYTES, { message: 'is shorter than 8 bytes' })
  .refine((text) => [text, text.normalize('NFKC')].every((form) => byteLength(form) <= MAX_PASSWORD_BYTES), {
    message: 'is longer than 1024 bytes',
  });

/** Whoever creates a user vouches for the address, unless they say otherwise: then the user has to prove it. */
export const NewUser = z
  .object({
    email: Email,
    first_name: withDefault(PERSON_NAME, ''),
    last_name: withDefault(PERSON_NAME, ''),
    password: Password.nullish(),
    role: withDefault(UserRole, 'user'),
    email_is_verified: withDefault(z.boolean(), true),
  })
  .meta({ id: 'NewUser' });
export type NewUser = z.output<typeof NewUser>;

/** Changes to a user. A field that is absent or null stays as it is. `current_password` is needed to change one's own password. */
export const UserUpdate = z
  .object({
    first_name: PERSON_NAME.nullish(),
    last_name: PERSON_NAME.nullish(),
    role: UserRole.nullish(),
    email: Email.nullish(),
    password: Password.nullish(),
    current_password: z.string().max(MAX_PASSWORD_BYTES).nullish(),
    is_disabled: z.boolean().nullish(),
  })
  .meta({ id: 'UserUpdate' });
export type UserUpdate = z.output<typeof UserUpdate>;

/** Actions that a caller may be allowed on a user; lists report the actions that were asked for. */
export const UserAction = z.enum(['update', 'delete', 'read_api_keys']);
export type UserAction = z.output<typeof UserAction>;

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
  /** The one thing that the key is good for; null: all that its owner may. */
  readonly purpose: ApiKeyPurpose | null;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly created_at: string;
}

export const toUserSummary = ({ id, email, first_name, last_name }: User): UserSummary => ({ id, email, first_name, last_name });

export function toUserView(user: User, organization: Organization, permissions: Permission[]): UserView {
  const { password_hash: _password_hash, token_version: _token_version, ...shown } = user;
  return { ...shown, permissions, organization_id: organization.id, organization_name: organization.name };
}

/** E-mail addresses are compared without case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** Whether the user may prove who they are at all, whatever the credentials. */
export const mayLogIn = ({ is_disabled, email_is_verified }: User): boolean => !is_disabled && email_is_verified;
