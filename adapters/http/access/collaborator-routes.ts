import { z } from 'zod';
import {
  CollaboratorUpdate,
  GroupCollaborator,
  NewGroupCollaborators,
  NewUserCollaborators,
  UserCollaborator,
} from '../../../core/access/groups/collaborator.ts';
import type { CollaboratorService } from '../../../core/access/groups/collaborator-service.ts';
import { CollaboratorRole, type ObjectKind } from '../../../core/access/role.ts';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';

const UserPage = z.object({ ...PageFields, collaborators: z.array(UserCollaborator) }).meta({ id: 'UserCollaboratorPage' });
const GroupPage = z.object({ ...PageFields, collaborators: z.array(GroupCollaborator) }).meta({ id: 'GroupCollaboratorPage' });
const Removed = z.object({ message: z.string() }).meta({ id: 'CollaboratorRemoved' });
const Role = z
  .object({ name: CollaboratorRole, display_name: z.string(), description: z.string() })
  .meta({ id: 'CollaboratorRoleDescription' });

interface Deps {
  readonly collaboratorService: CollaboratorService;
}

const ROLES: z.output<typeof Role>[] = [
  { name: 'owner', display_name: 'Owner', description: 'May do everything, also share and delete.' },
  { name: 'editor', display_name: 'Editor', description: 'May change what is in it, log data and start runs.' },
  { name: 'annotator', display_name: 'Annotator', description: 'May read, and record human feedback.' },
  { name: 'viewer', display_name: 'Viewer', description: 'May read and export.' },
];

export const collaboratorRoleRoutes = (): Route[] => [
  route({
    method: 'get',
    path: '/v2/collaborator_roles',
    operationId: 'listCollaboratorRoles',
    summary: 'The roles that a collaborator may have, from the most to the least.',
    tag: 'access',
    response: z.array(Role),
    handle: async () => ROLES,
  }),
];

/** The eight operations on whom an object of a kind is shared with, below the path of its kind. */
export const collaboratorRoutesOf =
  (kind: ObjectKind) =>
  (deps: Deps): Route[] => [...userRoutes(deps, kind), ...groupRoutes(deps, kind)];

/** `project` gives `/v2/projects/{project_id}` and operations named `…Project…`. */
function getNames(kind: ObjectKind) {
  const param = `${kind}_id`;
  const getId = (params: Record<string, string>) => ({ kind, id: params[param]! });
  return { param, getId, path: `/v2/${kind}s/{${param}}`, Kind: kind[0]!.toUpperCase() + kind.slice(1), tag: `${kind}s` };
}

function userRoutes({ collaboratorService }: Deps, kind: ObjectKind): Route[] {
  const { param, getId, path, Kind, tag } = getNames(kind);
  const ObjectPath = z.object({ [param]: Id });
  const CollaboratorPath = z.object({ [param]: Id, user_id: Id });
  return [
    route({
      method: 'get',
      path: `${path}/users`,
      operationId: `list${Kind}Users`,
      summary: `List the users a ${kind} is shared with.`,
      tag,
      params: ObjectPath,
      query: PageQuery,
      response: UserPage,
      handle: ({ caller, params, query }) => collaboratorService.listUsers(caller, getId(params), query),
    }),
    route({
      method: 'post',
      path: `${path}/users`,
      operationId: `add${Kind}Users`,
      summary: `Share a ${kind} with users, or change their roles.`,
      tag,
      params: ObjectPath,
      body: NewUserCollaborators,
      response: z.array(UserCollaborator),
      handle: ({ caller, params, body }) => collaboratorService.addUsers(caller, getId(params), body),
    }),
    route({
      method: 'patch',
      path: `${path}/users/{user_id}`,
      operationId: `update${Kind}User`,
      summary: `Change the role of a user on a ${kind}.`,
      tag,
      params: CollaboratorPath,
      body: CollaboratorUpdate,
      response: UserCollaborator,
      handle: ({ caller, params, body }) => collaboratorService.updateUser(caller, getId(params), params.user_id!, body),
    }),
    route({
      method: 'delete',
      path: `${path}/users/{user_id}`,
      operationId: `remove${Kind}User`,
      summary: `Stop sharing a ${kind} with a user.`,
      tag,
      params: CollaboratorPath,
      response: Removed,
      handle: ({ caller, params }) => collaboratorService.removeUser(caller, getId(params), params.user_id!),
    }),
  ];
}

function groupRoutes({ collaboratorService }: Deps, kind: ObjectKind): Route[] {
  const { param, getId, path, Kind, tag } = getNames(kind);
  const ObjectPath = z.object({ [param]: Id });
  const CollaboratorPath = z.object({ [param]: Id, group_id: Id });
  return [
    route({
      method: 'get',
      path: `${path}/groups`,
      operationId: `list${Kind}Groups`,
      summary: `List the groups a ${kind} is shared with.`,
      tag,
      params: ObjectPath,
      query: PageQuery,
      response: GroupPage,
      handle: ({ caller, params, query }) => collaboratorService.listGroups(caller, getId(params), query),
    }),
    route({
      method: 'post',
      path: `${path}/groups`,
      operationId: `add${Kind}Groups`,
      summary: `Share a ${kind} with groups, or change their roles.`,
      tag,
      params: ObjectPath,
      body: NewGroupCollaborators,
      response: z.array(GroupCollaborator),
      handle: ({ caller, params, body }) => collaboratorService.addGroups(caller, getId(params), body),
    }),
    route({
      method: 'patch',
      path: `${path}/groups/{group_id}`,
      operationId: `update${Kind}Group`,
      summary: `Change the role of a group on a ${kind}.`,
      tag,
      params: CollaboratorPath,
      body: CollaboratorUpdate,
      response: GroupCollaborator,
      handle: ({ caller, params, body }) => collaboratorService.updateGroup(caller, getId(params), params.group_id!, body),
    }),
    route({
      method: 'delete',
      path: `${path}/groups/{group_id}`,
      operationId: `remove${Kind}Group`,
      summary: `Stop sharing a ${kind} with a group.`,
      tag,
      params: CollaboratorPath,
      response: Removed,
      handle: ({ caller, params }) => collaboratorService.removeGroup(caller, getId(params), params.group_id!),
    }),
  ];
}
