import { z } from 'zod';
import { Permission } from '../kernel/permission.ts';
import { cleanText, Id } from '../kernel/text.ts';
import { Timestamp } from '../kernel/timestamp.ts';
import { ApiKeyPurpose, CollaboratorRole } from './role.ts';
import type { ApiKey } from './users/user.ts';

/** Without limits the key may do what its owner may, for ever. */
export const NewApiKey = z
  .object({
    description: cleanText(1, 255),
    expires_at: Timestamp.nullish(),
    project_id: Id.nullish(),
    max_role: CollaboratorRole.nullish(),
    /** Null: all that the owner may, within the limits above. */
    purpose: ApiKeyPurpose.nullish(),
  })
  .meta({ id: 'NewApiKey' });
export type NewApiKey = z.output<typeof NewApiKey>;

/** A key as the API shows one. */
export const ApiKeyView = z
  .object({
    id: z.string(),
    description: z.string(),
    created_at: z.string(),
    /** As `created_at`: nothing of a key changes. */
    updated_at: z.string(),
    /** To the minute. */
    last_used: z.string().nullable(),
    truncated: z.string(),
    expires_at: z.string().nullable(),
    project_id: z.string().nullable(),
    max_role: CollaboratorRole.nullable(),
    purpose: ApiKeyPurpose.nullable(),
    permissions: z.array(Permission),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyView = z.output<typeof ApiKeyView>;

/** The only reply that holds the key itself. */
export const CreatedApiKey = ApiKeyView.extend({ api_key: z.string() }).meta({ id: 'CreatedApiKey' });
export type CreatedApiKey = z.output<typeof CreatedApiKey>;

export function toApiKeyView(key: ApiKey): ApiKeyView {
  const { id, description, created_at, last_used_at, truncated, expires_at, project_id, max_role, purpose } = key;
  const made = { created_at, updated_at: created_at };
  return {
    id,
    description,
    ...made,
    last_used: last_used_at,
    truncated,
    expires_at,
    project_id,
    max_role,
    purpose,
    permissions: [],
  };
}
