import { z } from 'zod';
import {
  Group,
  GroupMember,
  GroupSearch,
  GroupUpdate,
  MemberUpdate,
  NewGroup,
  NewMembers,
} from '../../../core/access/groups/group.ts';
import { GroupAction, MemberAction } from '../../../core/access/groups/group-access.ts';
import type { GroupMemberService } from '../../../core/access/groups/group-member-service.ts';
import type { GroupService } from '../../../core/access/groups/group-service.ts';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { repeated } from '../query.ts';
import { type Route, route } from '../route.ts';

interface GroupServices {
  readonly groupService: GroupService;
  readonly groupMemberService: GroupMemberService;
}

const GroupPath = z.object({ group_id: Id });
const MemberPath = z.object({ group_id: Id, user_id: Id });
const ActionsQuery = z.object({ actions: repeated(GroupAction, 100).optional() });
const ListQuery = PageQuery.extend(ActionsQuery.shape);
const MembersQuery = PageQuery.extend({ actions: repeated(MemberAction, 100).optional() });
const GroupPage = z.object({ ...PageFields, groups: z.array(Group) }).meta({ id: 'GroupPage' });
const GroupMemberPage = z.object({ ...PageFields, members: z.array(GroupMember) }).meta({ id: 'GroupMemberPage' });
const Removed = z.object({ message: z.string() }).meta({ id: 'GroupRemoved' });
const ALL = GroupSearch.parse({});

export const groupRoutes = ({ groupService, groupMemberService }: GroupServices): Route[] => [
  route({
    method: 'post',
    path: '/v2/groups',
    operationId: 'createGroup',
    summary: 'Create a group; the caller becomes its maintainer.',
    tag: 'groups',
    body: NewGroup,
    response: Group,
    handle: ({ caller, body }) => groupService.createGroup(caller, body),
  }),
  route({
    method: 'get',
    path: '/v2/groups',
    operationId: 'listGroups',
    summary: 'List the groups the caller sees, by name.',
    tag: 'groups',
    query: ListQuery,
    response: GroupPage,
    handle: ({ caller, query }) => groupService.searchGroups(caller, ALL, query, query.actions ?? []),
  }),
  route({
    method: 'post',
    path: '/v2/groups/query',
    operationId: 'searchGroups',
    summary: 'List the groups the caller sees, filtered and sorted.',
    tag: 'groups',
    query: ListQuery,
    body: GroupSearch,
    bodyOptional: true,
    response: GroupPage,
    handle: ({ caller, query, body }) => groupService.searchGroups(caller, body, query, query.actions ?? []),
  }),
  route({
    method: 'get',
    path: '/v2/groups/{group_id}',
    operationId: 'getGroup',
    summary: 'Get a group.',
    tag: 'groups',
    params: GroupPath,
    query: ActionsQuery,
    response: Group,
    handle: ({ caller, params, query }) => groupService.getGroup(caller, params.group_id, query.actions ?? []),
  }),
  route({
    method: 'patch',
    path: '/v2/groups/{group_id}',
    operationId: 'updateGroup',
    summary: 'Change the given fields of a group.',
    tag: 'groups',
    params: GroupPath,
    body: GroupUpdate,
    response: Group,
    handle: ({ caller, params, body }) => groupService.updateGroup(caller, params.group_id, body),
  }),
  route({
    method: 'delete',
    path: '/v2/groups/{group_id}',
    operationId: 'deleteGroup',
    summary: 'Delete a group; what was shared with it no longer is.',
    tag: 'groups',
    params: GroupPath,
    response: Removed,
    handle: ({ caller, params }) => groupService.deleteGroup(caller, params.group_id),
  }),
  route({
    method: 'get',
    path: '/v2/groups/{group_id}/members',
    operationId: 'listGroupMembers',
    summary: 'List the members of a group, also those who wait for approval, oldest first.',
    tag: 'groups',
    params: GroupPath,
    query: MembersQuery,
    response: GroupMemberPage,
    handle: ({ caller, params, query }) => groupMemberService.listMembers(caller, params.group_id, query, query.actions ?? []),
  }),
  route({
    method: 'post',
    path: '/v2/groups/{group_id}/members',
    operationId: 'addGroupMembers',
    summary: 'Add users to a group; those who are in it get the given role.',
    tag: 'groups',
    params: GroupPath,
    body: NewMembers,
    response: z.array(GroupMember),
    handle: ({ caller, params, body }) => groupMemberService.addMembers(caller, params.group_id, body),
  }),
  route({
    method: 'patch',
    path: '/v2/groups/{group_id}/members/{user_id}',
    operationId: 'updateGroupMember',
    summary: 'Change the role of a member; a pending one is approved by it.',
    tag: 'groups',
    params: MemberPath,
    body: MemberUpdate,
    response: GroupMember,
    handle: ({ caller, params, body }) => groupMemberService.updateMember(caller, params.group_id, params.user_id, body),
  }),
  route({
    method: 'delete',
    path: '/v2/groups/{group_id}/members/{user_id}',
    operationId: 'removeGroupMember',
    summary: 'Remove a user from a group, or leave it.',
    tag: 'groups',
    params: MemberPath,
    response: Removed,
    handle: ({ caller, params }) => groupMemberService.removeMember(caller, params.group_id, params.user_id),
  }),
  route({
    method: 'post',
    path: '/v2/groups/{group_id}/join',
    operationId: 'joinGroup',
    summary: 'Join a public group, or ask to join a protected one.',
    tag: 'groups',
    params: GroupPath,
    response: GroupMember,
    handle: ({ caller, params }) => groupMemberService.join(caller, params.group_id),
  }),
];
