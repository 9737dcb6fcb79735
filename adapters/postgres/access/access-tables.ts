import { defineEntity, p } from '@mikro-orm/core';
import type { ApiKeyPurpose, CollaboratorRole } from '../../../core/access/role.ts';
import type { User } from '../../../core/access/users/user.ts';
import { text, timestamp, uuid } from '../database/columns.ts';

/** One row, made by the migration. */
export const OrganizationTable = defineEntity({
  name: 'OrganizationRow',
  tableName: 'organizations',
  properties: { id: uuid().primary(), name: text() },
});

export const UserTable = defineEntity({
  name: 'UserRow',
  tableName: 'users',
  properties: {
    id: uuid().primary(),
    email: text().unique('users_email_unique'),
    first_name: text(),
    last_name: text(),
    role: text().$type<User['role']>(),
    auth_method: text().$type<User['auth_method']>(),
    email_is_verified: p.boolean(),
    is_disabled: p.boolean(),
    password_hash: text().nullable(),
    token_version: p.integer(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});

export const ApiKeyTable = defineEntity({
  name: 'ApiKeyRow',
  tableName: 'api_keys',
  properties: {
    id: uuid().primary(),
    user_id: uuid().index('api_keys_user_id_index'),
    key_hash: text().unique('api_keys_key_hash_unique'),
    description: text(),
    truncated: text(),
    project_id: uuid().nullable().index('api_keys_project_id_index'),
    max_role: text().$type<CollaboratorRole>().nullable(),
    purpose: text().$type<ApiKeyPurpose>().nullable(),
    expires_at: timestamp().nullable(),
    last_used_at: timestamp().nullable(),
    created_at: timestamp(),
  },
});

/** Accounts elsewhere that users log in with. */
export const UserIdentityTable = defineEntity({
  name: 'UserIdentityRow',
  tableName: 'user_identities',
  properties: {
    issuer: text().primary(),
    subject: text().primary(),
    user_id: uuid().index('user_identities_user_id_index'),
    created_at: timestamp(),
  },
});

export const accessTables = [OrganizationTable, UserTable, ApiKeyTable, UserIdentityTable];
