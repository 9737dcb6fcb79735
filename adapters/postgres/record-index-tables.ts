import { defineEntity, p } from '@mikro-orm/core';
import type { Sketch } from '../../core/trends/sketch.ts';
import { jsonb, text, timestamp, uuid } from './columns.ts';

/**
 * What was written and is not indexed yet: a list of work, like the job queue. A row is put in by the transaction that
 * wrote the records, and taken out by the one that indexed them.
 */
export const RecordChangeTable = defineEntity({
  name: 'RecordChangeRow',
  tableName: 'record_changes',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    sequence: p.bigint('string').primary().autoincrement(),
    record_ids: p.array().columnType('uuid[]'),
    /** How many records came by this change, less those that went. */
    num_traces: p.integer(),
    num_spans: p.integer(),
  },
  indexes: [{ name: 'record_changes_sequence_index', properties: ['sequence'] }],
});

/** How many records a run holds, beside the changes that are not indexed yet. */
export const RunCountTable = defineEntity({
  name: 'RunCountRow',
  tableName: 'run_counts',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    num_traces: p.bigint('string'),
    num_spans: p.bigint('string'),
  },
});

/** Every number of every record. */
export const RecordNumberTable = defineEntity({
  name: 'RecordNumberRow',
  tableName: 'record_numbers',
  properties: {
    project_id: uuid().primary(),
    record_id: uuid().primary(),
    run_id: uuid().primary(),
    name: text().primary(),
    type: text(),
    value: p.double(),
    created_at: timestamp(),
  },
  indexes: [{ name: 'record_numbers_time_index', properties: ['project_id', 'run_id', 'name', 'created_at'] }],
});

export const HourlyNumberTable = defineEntity({
  name: 'HourlyNumberRow',
  tableName: 'hourly_numbers',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    name: text().primary(),
    type: text().primary(),
    hour: timestamp().primary(),
    count: p.bigint('string'),
    sum: p.double(),
    min: p.double(),
    max: p.double(),
    sketch: jsonb<Sketch>(),
  },
});

/** The words a record can be found by. */
export const RecordWordTable = defineEntity({
  name: 'RecordWordRow',
  tableName: 'record_words',
  properties: {
    project_id: uuid().primary(),
    record_id: uuid().primary(),
    run_id: uuid().primary(),
    words: p.array().columnType('text[]'),
  },
  indexes: [{ name: 'record_words_words_index', properties: ['words'], type: 'gin' }],
});
