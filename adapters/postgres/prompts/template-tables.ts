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

export const templateTables = [TemplateTable, TemplateVersionTable, TemplateProjectTable];
