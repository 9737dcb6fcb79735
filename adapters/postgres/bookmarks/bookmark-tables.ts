import { defineEntity, p } from '@mikro-orm/core';
import { timestamp, uuid } from '../database/columns.ts';

/** Marks of people on traces, spans and sessions. */
export const BookmarkTable = defineEntity({
  name: 'BookmarkRow',
  tableName: 'bookmarks',
  properties: {
    project_id: uuid().primary(),
    user_id: uuid().primary(),
    run_id: uuid().primary(),
    record_id: uuid().primary(),
    is_shared: p.boolean(),
    created_at: timestamp(),
  },
  indexes: [
    { name: 'bookmarks_record_index', properties: ['project_id', 'run_id', 'record_id'] },
    { name: 'bookmarks_user_index', properties: ['user_id'] },
  ],
});

export const bookmarkTables = [BookmarkTable];
