import { defineEntity, p } from '@mikro-orm/core';
import type { Secret } from '../../../core/integrations/secret-box.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

export const IntegrationTable = defineEntity({
  name: 'IntegrationRow',
  tableName: 'integrations',
  properties: {
    id: uuid().primary(),
    name: text(),
    provider: text(),
    /** Without the secrets. */
    settings: jsonb<Record<string, unknown>>(),
    /** Which key wraps the data key. */
    key_id: text().index('integrations_key_id_index'),
    data_key: text(),
    secret_fields: jsonb<Secret[]>(),
    is_disabled: p.boolean(),
    created_by: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  uniques: [{ name: 'integrations_created_by_name_unique', properties: ['created_by', 'name'] }],
});

/** Which integration of a provider a user chose. */
export const IntegrationSelectionTable = defineEntity({
  name: 'IntegrationSelectionRow',
  tableName: 'integration_selections',
  properties: {
    user_id: uuid().primary(),
    provider: text().primary(),
    integration_id: uuid().index('integration_selections_integration_id_index'),
  },
});

export const integrationTables = [IntegrationTable, IntegrationSelectionTable];
