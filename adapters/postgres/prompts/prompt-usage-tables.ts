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
    /** Null for calls that were listed by an earlier release and not looked at since. */
    trace_id: uuid().nullable(),
  },
  indexes: [{ name: 'prompt_calls_trace_index', properties: ['project_id', 'run_id', 'trace_id', 'prompt_version_id'] }],
});

const hours = {
  project_id: uuid().primary(),
  prompt_version_id: uuid().primary(),
  hour: timestamp().primary(),
  run_id: uuid().primary(),
  name: text().primary(),
  count: p.bigint('string'),
  sum: p.double(),
};

/** Metrics of these calls by the hour. */
const PromptHourTable = defineEntity({
  name: 'PromptHourRow',
  tableName: 'prompt_hours',
  properties: hours,
  indexes: [{ name: 'prompt_hours_run_index', properties: ['project_id', 'run_id'] }],
});

/** Traces with such calls, as they are counted: enough to take them out again. */
const PromptTraceTable = defineEntity({
  name: 'PromptTraceRow',
  tableName: 'prompt_traces',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    trace_id: uuid().primary(),
    created_at: timestamp(),
    /** Its numbers by name, as JSON text. */
    numbers: text(),
    prompt_version_ids: p.array().columnType('uuid[]'),
  },
});

/** Results of these traces by the hour. */
const PromptTraceHourTable = defineEntity({
  name: 'PromptTraceHourRow',
  tableName: 'prompt_trace_hours',
  properties: hours,
  indexes: [{ name: 'prompt_trace_hours_run_index', properties: ['project_id', 'run_id'] }],
});

export const promptUsageTables = [PromptCallTable, PromptHourTable, PromptTraceTable, PromptTraceHourTable];
