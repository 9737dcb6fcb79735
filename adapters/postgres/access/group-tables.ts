import { defineEntity } from '@mikro-orm/core';
import type { GroupRole, Visibility } from '../../../core/access/groups/group.ts';
import { text, timestamp, uuid } from '../database/columns.ts';

export const GroupTable = defineEntity({
  name: 'GroupRow',
  tableName: 'groups',
  properties: {
    id: uuid().primary(),
    name: text().unique('groups_name_unique'),
    description: text(),
    visibility: text().$type<Visibility>(),
    created_by: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});

export const GroupMemberTable = defineEntity({
  name: 'GroupMemberRow',
  tableName: 'group_members',
  properties: {
    group_id: uuid().primary(),
    user_id: uuid().primary().index('group_members_user_id_index'),
    id: uuid(),
    role: text().$type<GroupRole>(),
    created_at: timestamp(),
  },
});

export const groupTables = [GroupTable, GroupMemberTable];
