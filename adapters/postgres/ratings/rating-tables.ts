import { defineEntity, p } from '@mikro-orm/core';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** Feedback of applications' users on records. Texts in values are encoded as those of records. */
export const FeedbackTable = defineEntity({
  name: 'FeedbackRow',
  tableName: 'feedback',
  properties: {
    project_id: uuid().primary(),
    record_id: uuid().primary(),
    run_id: uuid().primary(),
    name: text().primary(),
    feedback_type: text(),
    value: jsonb<unknown>(),
    explanation: text().nullable(),
    rated_at: timestamp(),
  },
  indexes: [{ name: 'feedback_name_index', properties: ['project_id', 'run_id', 'name', 'feedback_type'] }],
});

/** Answers of annotators to templates. */
export const AnnotationTable = defineEntity({
  name: 'AnnotationRow',
  tableName: 'annotations',
  properties: {
    project_id: uuid().primary(),
    record_id: uuid().primary(),
    run_id: uuid().primary(),
    template_id: uuid().primary(),
    annotator_id: uuid().primary(),
    value: jsonb<unknown>(),
    explanation: text().nullable(),
    rated_at: timestamp(),
    is_decision: p.boolean(),
  },
  indexes: [
    { name: 'annotations_template_index', properties: ['project_id', 'template_id'] },
    { name: 'annotations_run_index', properties: ['project_id', 'run_id', 'template_id'] },
  ],
});

export const AnnotationTemplateTable = defineEntity({
  name: 'AnnotationTemplateRow',
  tableName: 'annotation_templates',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    name: text(),
    annotation_type: text(),
    instructions: text(),
    choices: jsonb<string[]>(),
    min: p.integer(),
    max: p.integer(),
    truth_rule: text().nullable(),
    created_by: uuid().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  uniques: [{ name: 'annotation_templates_name_unique', properties: ['project_id', 'name'] }],
});

export const ratingTables = [FeedbackTable, AnnotationTable, AnnotationTemplateTable];
