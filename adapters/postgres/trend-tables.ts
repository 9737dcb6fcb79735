import { defineEntity } from '@mikro-orm/core';
import type { StoredDashboard } from '../../core/trends/dashboard.ts';
import { jsonb, uuid } from './columns.ts';

/** The charts of a log stream: small, read and changed as a whole. */
export const TrendDashboardTable = defineEntity({
  name: 'TrendDashboardRow',
  tableName: 'trend_dashboards',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    dashboard: jsonb<StoredDashboard>(),
  },
});
