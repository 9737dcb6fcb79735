import { defineEntity, p } from '@mikro-orm/core';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** Which runs are looked at for insights. */
export const InsightsSettingsTable = defineEntity({
  name: 'InsightsSettingsRow',
  tableName: 'insights_settings',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    enabled: p.boolean(),
    start_time: timestamp().nullable(),
  },
});

/** Findings of insight scans. The same thing found again is known by its key. */
export const InsightTable = defineEntity({
  name: 'InsightRow',
  tableName: 'insights',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    id: uuid().primary(),
    key: text(),
    status: text(),
    last_seen_at: timestamp(),
    insight: jsonb<object>(),
  },
  uniques: [{ name: 'insights_key_unique', properties: ['project_id', 'run_id', 'key'] }],
});

export const insightTables = [InsightsSettingsTable, InsightTable];
