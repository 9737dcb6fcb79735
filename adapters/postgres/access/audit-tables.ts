import { defineEntity, p } from '@mikro-orm/core';
import type { AuditEntry } from '../../../core/access/audit/audit.ts';
import { jsonb, text, timestamp } from '../database/columns.ts';

/** Ids are texts here: the log also keeps what only claimed to be one. */
export const AuditLogTable = defineEntity({
  name: 'AuditLogRow',
  tableName: 'audit_log',
  properties: {
    sequence: p.bigint('number').primary().autoincrement(false),
    at: timestamp().index('audit_log_at_index'),
    action: text(),
    object_kind: text(),
    object_id: text().nullable(),
    actor_id: text().nullable(),
    actor_email: text().nullable(),
    scheme: text().nullable(),
    api_key_id: text().nullable(),
    request_id: text().nullable(),
    address: text().nullable(),
    details: jsonb<AuditEntry['details']>(),
    previous_hash: text(),
    hash: text(),
  },
  indexes: [
    { name: 'audit_log_actor_id_index', properties: ['actor_id', 'sequence'] },
    { name: 'audit_log_object_id_index', properties: ['object_id', 'sequence'] },
  ],
  /** Refuses TRUNCATE too, which the mapper does not know. */
  triggers: [
    {
      name: 'refuse_changes',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'statement',
      body: `raise exception 'the audit log is not changed' using errcode = 'insufficient_privilege'`,
    },
  ],
});

/** One row, made by the migration: the last line of the log. Whoever appends locks it. */
export const AuditHeadTable = defineEntity({
  name: 'AuditHeadRow',
  tableName: 'audit_head',
  properties: { sequence: p.bigint('number').primary().autoincrement(false), hash: text() },
});

export const auditTables = [AuditLogTable, AuditHeadTable];
