import { defineEntity, p } from '@mikro-orm/core';
import { text, timestamp, uuid } from '../database/columns.ts';

/** Records of calls that were made with a version of a prompt. */
const PromptCallTable = defineEntity({
  name: 'PromptCallRow',
  tableName: 'prompt_calls',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    prompt_version_id: uuid().primary(),
    record_id: uuid().primary(),
  },
});

/** Metrics of these calls by the hour. */
const PromptHourTable = defineEntity({
  name: 'PromptHourRow',
  tableName: 'prompt_hours',
  properties: {
    project_id: uuid().primary(),
    prompt_version_id: uuid().primary(),
    hour: timestamp().primary(),
    run_id: uuid().primary(),
    name: text().primary(),
    count: p.bigint('string'),
    sum: p.double(),
  },
  indexes: [{ name: 'prompt_hours_run_index', properties: ['project_id', 'run_id'] }],
});

export const promptUsageTables = [PromptCallTable, PromptHourTable];
