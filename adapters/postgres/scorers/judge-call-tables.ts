import { defineEntity } from '@mikro-orm/core';
import { text, timestamp, uuid } from '../database/columns.ts';

/** Calls of models, by the score that was made of them; read and written by SQL alone. */
export const JudgeCallTable = defineEntity({
  name: 'JudgeCallRow',
  tableName: 'judge_calls',
  properties: {
    project_id: uuid().primary(),
    record_id: uuid().primary(),
    run_id: uuid().primary(),
    scorer_version_id: uuid().primary(),
    level: text().primary(),
    judged: text().nullable(),
    /** JSON, as text: nobody looks into it but who reads all of it. */
    calls: text(),
    kept_at: timestamp(),
  },
  indexes: [{ name: 'judge_calls_kept_index', properties: ['kept_at'] }],
});

export const judgeCallTables = [JudgeCallTable];
