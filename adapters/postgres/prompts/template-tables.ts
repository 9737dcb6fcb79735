import { defineEntity, p } from '@mikro-orm/core';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

export const TemplateTable = defineEntity({
  name: 'TemplateRow',
  tableName: 'templates',
  properties: {
    id: uuid().primary(),
    name: text(),
    hidden: p.boolean(),
    selected_version: p.integer(),
    created_by: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  uniques: [{ name: 'templates_name_unique', properties: ['name'] }],
});

/** Texts in `template` and `settings` are encoded as those of records. */
export const TemplateVersionTable = defineEntity({
  name: 'TemplateVersionRow',
  tableName: 'template_versions',
  properties: {
    template_id: uuid().primary(),
    version: p.integer().primary(),
    id: uuid(),
    template: jsonb<unknown>(),
    raw: p.boolean(),
    settings: jsonb<unknown>(),
    output_type: text().nullable(),
    commit_message: text().nullable(),
    model_changed: p.boolean(),
    settings_changed: p.boolean(),
    content_changed: p.boolean(),
    created_by: uuid(),
    created_at: timestamp(),
  },
  uniques: [{ name: 'template_versions_id_unique', properties: ['id'] }],
});

/** Which projects use a template. */
export const TemplateProjectTable = defineEntity({
  name: 'TemplateProjectRow',
  tableName: 'template_projects',
  properties: {
    template_id: uuid().primary(),
    project_id: uuid().primary(),
  },
  indexes: [{ name: 'template_projects_project_index', properties: ['project_id'] }],
});

/** Which version a label is on. */
export const TemplateLabelTable = defineEntity({
  name: 'TemplateLabelRow',
  tableName: 'template_labels',
  properties: {
    template_id: uuid().primary(),
    label: text().primary(),
    version: p.integer(),
  },
});

/** The history of labels; `number` counts the moves of a template. */
export const TemplateLabelMoveTable = defineEntity({
  name: 'TemplateLabelMoveRow',
  tableName: 'template_label_moves',
  properties: {
    template_id: uuid().primary(),
    number: p.integer().primary(),
    label: text(),
    from_version: p.integer().nullable(),
    to_version: p.integer().nullable(),
    moved_by: uuid(),
    moved_at: timestamp(),
  },
});

export const templateTables = [
  TemplateTable,
  TemplateVersionTable,
  TemplateProjectTable,
  TemplateLabelTable,
  TemplateLabelMoveTable,
];
