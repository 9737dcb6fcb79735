import { defineEntity, p } from '@mikro-orm/core';
import type { Sketch } from '../../../core/record-index/sketch.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/**
 * Changes that are not indexed yet: a list of work, like the job queue. A row is put in by the transaction that wrote
 * the records, and taken out by the one that indexed them.
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

/** Index entry of a record: enough to take it out again. */
export const IndexedRecordTable = defineEntity({
  name: 'IndexedRecordRow',
  tableName: 'indexed_records',
  properties: {
    project_id: uuid().primary(),
    record_id: uuid().primary(),
    run_id: uuid().primary(),
    type: text(),
    created_at: timestamp(),
    is_error: p.boolean(),
    /** Its numbers by name, as JSON text. */
    numbers: text(),
    /** The words it is found by, with a space before and behind each. */
    words: text(),
    /** The block its words are in. */
    block: p.bigint('string'),
    /** The version of a prompt that the call was made with. */
    prompt_version_id: uuid().nullable(),
  },
});

/** Metrics of records by value and by time; ADR 0041 says why the table is called otherwise. */
export const RecordMetricTable = defineEntity({
  name: 'RecordMetricRow',
  tableName: 'record_numbers',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    name: text().primary(),
    created_at: timestamp().primary(),
    record_id: uuid().primary(),
    type: text(),
    value: p.double(),
  },
  indexes: [{ name: 'record_numbers_value_index', properties: ['project_id', 'run_id', 'name', 'value'] }],
});

export const HourlyMetricTable = defineEntity({
  name: 'HourlyMetricRow',
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

/** Some hundred records whose words are kept together. The open one of a run has no postings yet. */
export const WordBlockTable = defineEntity({
  name: 'WordBlockRow',
  tableName: 'word_blocks',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    block: p.bigint('string').primary().autoincrement(),
    /** The place of a record in it is its ordinal in the postings. */
    record_ids: p.array().columnType('uuid[]'),
    is_open: p.boolean(),
  },
  indexes: [{ name: 'word_blocks_open_index', properties: ['project_id', 'run_id'], where: 'is_open' }],
});

/** Which records of a block hold which words, in slices by the hash of the word: see `word-postings.ts`. */
export const WordPostingTable = defineEntity({
  name: 'WordPostingRow',
  tableName: 'word_postings',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    slice: p.smallint().primary(),
    block: p.bigint('string').primary(),
    postings: text(),
  },
});

export const recordIndexTables = [
  RecordChangeTable,
  RunCountTable,
  IndexedRecordTable,
  RecordMetricTable,
  HourlyMetricTable,
  WordBlockTable,
  WordPostingTable,
];
