import { defineEntity, p } from '@mikro-orm/core';
import type { User } from '../../core/access/user.ts';
import { text, timestamp, uuid } from './columns.ts';

export const UserTable = defineEntity({
  name: 'UserRow',
  tableName: 'users',
  properties: {
    id: uuid().primary(),
    email: text().unique('users_email_unique'),
    first_name: text(),
    last_name: text(),
    role: text().$type<User['role']>(),
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
    expires_at: timestamp().nullable(),
    last_used_at: timestamp().nullable(),
    created_at: timestamp(),
  },
});
