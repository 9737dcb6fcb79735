import { defineEntity } from '@mikro-orm/core';
import type { StoredDashboard } from '../../../core/trends/dashboard.ts';
import { jsonb, uuid } from '../database/columns.ts';

const CONTENTS_INDEX = 'trend_dashboards_contents_index';

/** The charts of a log stream: small, read and changed as a whole. */
export const TrendDashboardTable = defineEntity({
  name: 'TrendDashboardRow',
  tableName: 'trend_dashboards',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    dashboard: jsonb<StoredDashboard>(),
  },
  indexes: [
    {
      name: CONTENTS_INDEX,
      expression: `create index "${CONTENTS_INDEX}" on "trend_dashboards" using gin ("dashboard" jsonb_path_ops)`,
    },
  ],
});

export const trendTables = [TrendDashboardTable];
