import { defineEntity } from '@mikro-orm/core';
import { text, timestamp, uuid } from '../database/columns.ts';

/** Words of people about traces, spans and sessions. */
export const CommentTable = defineEntity({
  name: 'CommentRow',
  tableName: 'comments',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    run_id: uuid(),
    record_id: uuid(),
    text: text(),
    created_by: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  indexes: [
    { name: 'comments_record_index', properties: ['project_id', 'run_id', 'record_id'] },
    { name: 'comments_created_at_index', properties: ['project_id', 'created_at'] },
  ],
});

export const commentTables = [CommentTable];
