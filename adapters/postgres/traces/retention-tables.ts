import { defineEntity, p } from '@mikro-orm/core';
import { uuid } from '../database/columns.ts';

/** Stands for the project itself where a run's id stands for the run: a key has no nulls, and no run has this id. */
export const WHOLE_PROJECT = '00000000-0000-0000-0000-000000000000';

/** For how many days traces are kept. */
export const RetentionRuleTable = defineEntity({
  name: 'RetentionRuleRow',
  tableName: 'retention_rules',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    days: p.integer(),
  },
});

export const retentionTables = [RetentionRuleTable];
