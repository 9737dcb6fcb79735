import { defineEntity } from '@mikro-orm/core';
import type { ProvisionedResource } from '../../../core/access/provisioning/provisioning-store.ts';
import { text, uuid } from '../database/columns.ts';

/** Names and ids by which identity providers know users and groups. */
export const ProvisionedResourceTable = defineEntity({
  name: 'ProvisionedResourceRow',
  tableName: 'provisioned_resources',
  indexes: [{ name: 'provisioned_resources_external_id_index', properties: ['kind', 'external_id'] }],
  properties: {
    kind: text().$type<ProvisionedResource['kind']>().primary(),
    id: uuid().primary(),
    external_id: text().nullable(),
    user_name: text().nullable(),
    user_name_key: text().nullable().unique('provisioned_resources_user_name_unique'),
    display_name: text().nullable(),
  },
});

export const provisioningTables = [ProvisionedResourceTable];
