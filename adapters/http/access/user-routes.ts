import { z } from 'zod';
import { ApiKeyView, CreatedApiKey, NewApiKey } from '../../../core/access/api-key.ts';
import type { ApiKeyService } from '../../../core/access/api-key-service.ts';
import { NewUser, UserAction, UserUpdate, UserView } from '../../../core/access/users/user.ts';
import type { UserService } from '../../../core/access/users/user-service.ts';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { repeated } from '../query.ts';
import { type Route, route } from '../route.ts';

interface UserServices {
  readonly userService: UserService;
  readonly apiKeyService: ApiKeyService;
}

const UserPath = z.object({ user_id: Id });
const ApiKeyPath = z.object({ api_key_id: Id });
const ListQuery = PageQuery.extend({ actions: repeated(UserAction, 100).optional() });
const UserPage = z.object({ ...PageFields, users: z.array(UserView) }).meta({ id: 'UserPage' });
const ApiKeyPage = z.object({ ...PageFields, api_keys: z.array(ApiKeyView) }).meta({ id: 'ApiKeyPage' });
const UserDeleted = z.object({ message: z.string() }).meta({ id: 'UserDeleted' });
const ApiKeyDeleted = z.object({ message: z.string() }).meta({ id: 'ApiKeyDeleted' });

/** Clients know one or the other; both change what is given. */
const UPDATES = [
  ['patch', 'updateUser'],
  ['put', 'putUser'],
] as const;

export const userRoutes = ({ userService, apiKeyService }: UserServices): Route[] => [
  route({
    method: 'get',
    path: '/v2/current_user',
    operationId: 'getCurrentUser',
    summary: 'Get the user whose credentials these are.',
    tag: 'users',
    response: UserView,
    handle: ({ caller }) => userService.getCurrentUser(caller),
  }),
  route({
    method: 'get',
    path: '/v2/users',
    operationId: 'listUsers',
    summary: 'List the users of the organisation, oldest first.',
    tag: 'users',
    query: ListQuery,
    response: UserPage,
    handle: ({ caller, query }) => userService.listUsers(caller, query, query.actions ?? []),
  }),
  route({
    method: 'post',
    path: '/v2/users',
    operationId: 'createUser',
    summary: 'Create a user. An address that is not vouched for gets a mail with a code to confirm it.',
    tag: 'users',
    body: NewUser,
    response: UserView,
    handle: ({ caller, body }) => userService.createUser(caller, body),
  }),
  route({
    method: 'get',
    path: '/v2/users/{user_id}',
    operationId: 'getUser',
    summary: 'Get a user.',
    tag: 'users',
    params: UserPath,
    response: UserView,
    handle: ({ caller, params }) => userService.getUser(caller, params.user_id),
  }),
  ...UPDATES.map(([method, operationId]) =>
    route({
      method,
      path: '/v2/users/{user_id}',
      operationId,
      summary: 'Change the given fields of a user. A new password, role, e-mail or state ends all sessions of the user.',
      tag: 'users',
      params: UserPath,
      body: UserUpdate,
      response: UserView,
      handle: ({ caller, params, body }) => userService.updateUser(caller, params.user_id, body),
    }),
  ),
  route({
    method: 'delete',
    path: '/v2/users/{user_id}',
    operationId: 'deleteUser',
    summary: 'Delete a user with their API keys. What only they owned becomes the property of the caller.',
    tag: 'users',
    params: UserPath,
    response: UserDeleted,
    handle: ({ caller, params }) => userService.deleteUser(caller, params.user_id),
  }),
  route({
    method: 'post',
    path: '/v2/users/api_keys',
    operationId: 'createApiKey',
    summary: 'Make an API key of the caller. The reply is the only one that shows it.',
    tag: 'users',
    body: NewApiKey,
    response: CreatedApiKey,
    handle: ({ caller, body }) => apiKeyService.createApiKey(caller, body),
  }),
  route({
    method: 'get',
    path: '/v2/users/{user_id}/api_keys',
    operationId: 'listApiKeys',
    summary: 'List the API keys of a user, newest first, without the keys themselves.',
    tag: 'users',
    params: UserPath,
    query: PageQuery,
    response: ApiKeyPage,
    handle: ({ caller, params, query }) => apiKeyService.listApiKeys(caller, params.user_id, query),
  }),
  route({
    method: 'delete',
    path: '/v2/users/api_keys/{api_key_id}',
    operationId: 'deleteApiKey',
    summary: 'Delete an API key; it is refused from the next request on.',
    tag: 'users',
    params: ApiKeyPath,
    response: ApiKeyDeleted,
    handle: ({ caller, params }) => apiKeyService.deleteApiKey(caller, params.api_key_id),
  }),
];
