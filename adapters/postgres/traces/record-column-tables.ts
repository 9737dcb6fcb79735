import { defineEntity } from '@mikro-orm/core';
import { text, uuid } from '../database/columns.ts';

/** Columns that records of a type have had in a run, with the types of their values. */
export const RecordColumnTable = defineEntity({
  name: 'RecordColumnRow',
  tableName: 'record_columns',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    column_id: text().primary(),
    type: text().primary(),
    data_type: text().primary(),
  },
});

export const recordColumnTables = [RecordColumnTable];
