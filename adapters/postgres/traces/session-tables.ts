import { defineEntity, p } from '@mikro-orm/core';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** Sessions that were created or that traces were logged under; read and written by SQL alone, texts encoded as those of records. */
export const SessionTable = defineEntity({
  name: 'SessionRow',
  tableName: 'sessions',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    run_id: uuid().primary(),
    name: text().nullable(),
    external_id: text().nullable(),
    previous_session_id: uuid().nullable(),
    user_metadata: jsonb<Record<string, unknown>>().nullable(),
    /** Nobody created it: traces were logged under it. Without traces it has no reason to be. */
    is_derived: p.boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  indexes: [{ name: 'sessions_newest_index', properties: ['project_id', 'run_id', 'created_at', 'id'] }],
  uniques: [
    {
      name: 'sessions_external_id_unique',
      properties: ['project_id', 'run_id', 'external_id'],
      where: 'external_id is not null',
    },
  ],
});

export const sessionTables = [SessionTable];
