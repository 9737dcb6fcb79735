import { defineEntity, p } from '@mikro-orm/core';
import type { MaskingRule } from '../../../core/masking/masking-rule.ts';
import { jsonb, text, uuid } from '../database/columns.ts';

export const MaskingRuleTable = defineEntity({
  name: 'MaskingRuleRow',
  tableName: 'masking_rules',
  properties: { project_id: uuid().primary(), rules: jsonb<readonly MaskingRule[]>() },
});

/** Numbers of masked values by day. */
export const MaskingCountTable = defineEntity({
  name: 'MaskingCountRow',
  tableName: 'masking_counts',
  properties: {
    project_id: uuid().primary(),
    day: p.date().$type<string>().primary(),
    rule: text().primary(),
    masked: p.bigint(),
  },
});

export const maskingTables = [MaskingRuleTable, MaskingCountTable];
