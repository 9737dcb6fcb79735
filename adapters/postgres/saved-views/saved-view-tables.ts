import { defineEntity, p } from '@mikro-orm/core';
import type { ViewState } from '../../../core/saved-views/saved-view.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

export const SavedViewTable = defineEntity({
  name: 'SavedViewRow',
  tableName: 'saved_views',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    name: text(),
    is_shared: p.boolean(),
    state: jsonb<ViewState>(),
    created_by: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  indexes: [{ name: 'saved_views_created_by_index', properties: ['created_by'] }],
});

export const savedViewTables = [SavedViewTable];
