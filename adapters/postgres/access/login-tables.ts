import { defineEntity, p } from '@mikro-orm/core';
import { text, timestamp, uuid } from '../database/columns.ts';

export const RefreshTokenTable = defineEntity({
  name: 'RefreshTokenRow',
  tableName: 'refresh_tokens',
  properties: {
    token_hash: text().primary(),
    family_id: uuid().index('refresh_tokens_family_id_index'),
    user_id: uuid().index('refresh_tokens_user_id_index'),
    token_version: p.integer(),
    api_key_id: uuid().nullable(),
    created_at: timestamp(),
    expires_at: timestamp().index('refresh_tokens_expires_at_index'),
    used_at: timestamp().nullable(),
  },
});

export const VerificationCodeTable = defineEntity({
  name: 'VerificationCodeRow',
  tableName: 'verification_codes',
  properties: {
    code_hash: text().primary(),
    user_id: uuid().index('verification_codes_user_id_index'),
    email: text(),
    created_at: timestamp(),
    expires_at: timestamp(),
    used_at: timestamp().nullable(),
  },
});

export const LoginAttemptTable = defineEntity({
  name: 'LoginAttemptRow',
  tableName: 'login_attempts',
  properties: { key: text().primary(), count: p.integer(), last_at: timestamp() },
});

export const EndedSessionTable = defineEntity({
  name: 'EndedSessionRow',
  tableName: 'ended_sessions',
  properties: { session_id: uuid().primary(), expires_at: timestamp() },
});

export const UsedIdTokenTable = defineEntity({
  name: 'UsedIdTokenRow',
  tableName: 'used_id_tokens',
  properties: { token_hash: text().primary(), expires_at: timestamp() },
});

export const loginTables = [RefreshTokenTable, VerificationCodeTable, LoginAttemptTable, EndedSessionTable, UsedIdTokenTable];
