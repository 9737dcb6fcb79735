import { defineEntity } from '@mikro-orm/core';
import type { CollaboratorRole, ObjectKind } from '../../../core/access/role.ts';
import { text, timestamp, uuid } from '../database/columns.ts';

const object = () => ({ object_kind: text().$type<ObjectKind>().primary(), object_id: uuid().primary() });
const collaboration = () => ({ id: uuid(), role: text().$type<CollaboratorRole>(), created_at: timestamp() });

/** One row for each object that has collaborators: what is locked while they change. */
export const SharedObjectTable = defineEntity({
  name: 'SharedObjectRow',
  tableName: 'shared_objects',
  properties: object(),
});

export const UserCollaboratorTable = defineEntity({
  name: 'UserCollaboratorRow',
  tableName: 'user_collaborators',
  properties: { ...object(), user_id: uuid().primary(), ...collaboration() },
  indexes: [{ name: 'user_collaborators_user_id_index', properties: ['user_id', 'object_kind'] }],
});

export const GroupCollaboratorTable = defineEntity({
  name: 'GroupCollaboratorRow',
  tableName: 'group_collaborators',
  properties: { ...object(), group_id: uuid().primary(), ...collaboration() },
  indexes: [{ name: 'group_collaborators_group_id_index', properties: ['group_id', 'object_kind'] }],
});

export const collaboratorTables = [SharedObjectTable, UserCollaboratorTable, GroupCollaboratorTable];
