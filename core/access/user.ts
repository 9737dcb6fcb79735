import { z } from 'zod';

export const USER_ROLES = ['admin', 'manager', 'user', 'read_only'] as const;

/** What others see of a user. */
export const UserSummary = z
  .object({ id: z.string(), email: z.string(), first_name: z.string().nullable(), last_name: z.string().nullable() })
  .meta({ id: 'UserSummary' });
export type UserSummary = z.output<typeof UserSummary>;

/** A user as stored. `password_hash` never leaves the access capability. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly role: (typeof USER_ROLES)[number];
  /** PHC string; null for users who only come by key or social login. */
  readonly password_hash: string | null;
  /** Raised to end all tokens issued so far. */
  readonly token_version: number;
  readonly created_at: string;
  readonly updated_at: string;
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
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly created_at: string;
}

export const summaryOf = ({ id, email, first_name, last_name }: User): UserSummary => ({ id, email, first_name, last_name });

/** E-mail addresses are compared without case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();
