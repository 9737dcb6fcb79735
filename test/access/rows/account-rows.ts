import { randomUUID } from 'node:crypto';
import { ADMIN } from '../../http/harness.ts';
import type { Row } from '../row.ts';
import { address, hasPlainKey } from '../row-helpers.ts';

/** No credentials are asked for: whoever comes gets the same. */
export const OPEN: readonly Row[] = [
  { operation: 'healthcheck', on: 'open' },
  { operation: 'login', on: 'open', body: () => ({ username: ADMIN.email, password: ADMIN.password }) },
  { operation: 'loginWithApiKey', on: 'open', body: () => ({ api_key: ADMIN.api_key }) },
  { operation: 'loginWithSocial', on: 'open', body: () => ({}), ok: 422, code: 'request_invalid' },
  { operation: 'listSocialProviders', on: 'open' },
  { operation: 'beginSocialSignIn', on: 'open', body: () => ({ provider: 'okta' }), ok: 400, code: 'provider_not_configured' },
  {
    operation: 'loginWithSocialCode',
    on: 'open',
    body: () => ({ code: 'x', state: 'y' }),
    ok: 401,
    code: 'sign_in_not_begun',
  },
  { operation: 'logout', on: 'open' },
  { operation: 'refreshToken', on: 'open', ok: 401, code: 'refresh_missing' },
  { operation: 'verifyEmail', on: 'open', body: address },
  { operation: 'signUp', on: 'open', body: () => ({}), ok: 422, code: 'request_invalid' },
  { operation: 'completeEmailVerification', on: 'open', body: () => ({}), ok: 422, code: 'request_invalid' },
];

export const USERS: readonly Row[] = [
  { operation: 'listIdentityProviders', on: 'everyone' },
  { operation: 'getCurrentUser', on: 'everyone' },
  { operation: 'listUsers', on: 'organization', allowed: ['admin', 'manager', 'user', 'read_only'], limited_keys: true },
  { operation: 'createUser', on: 'organization', allowed: ['admin', 'manager'], body: () => ({ ...address(), role: 'user' }) },
  {
    operation: 'createUser',
    variant: 'as a manager',
    on: 'organization',
    allowed: ['admin'],
    body: () => ({ ...address(), role: 'manager' }),
  },
  {
    operation: 'inviteUsers',
    on: 'organization',
    allowed: ['admin', 'manager'],
    body: () => ({ emails: [address().email], role: 'user' }),
  },
  {
    operation: 'createSignupLink',
    on: 'organization',
    allowed: ['admin', 'manager'],
    query: () => ({ user_email: address().email }),
    ok: 404,
    code: 'user_not_found',
  },
  { operation: 'getUser', on: 'user', needs: 'sight' },
  { operation: 'updateUser', on: 'user', needs: 'change', body: () => ({ first_name: randomUUID() }) },
  { operation: 'putUser', on: 'user', needs: 'change', body: () => ({ first_name: randomUUID() }) },
  {
    operation: 'updateUser',
    variant: 'making an administrator',
    on: 'user',
    needs: 'change',
    body: () => ({ role: 'admin' }),
    deviates: (usual, { caller }) => (usual === 200 && caller.role !== 'admin' ? 403 : usual),
  },
  {
    operation: 'updateUser',
    variant: 'giving another address',
    on: 'user',
    needs: 'change',
    body: address,
    deviates: (usual, { caller, relation }) => (usual === 200 && relation === 'oneself' && caller.role !== 'admin' ? 403 : usual),
  },
  {
    operation: 'updateUser',
    variant: 'disabling',
    on: 'user',
    needs: 'change',
    body: () => ({ is_disabled: true }),
    deviates: (usual, { relation }) => (usual === 200 && relation === 'oneself' ? 403 : usual),
  },
  {
    // One's own password is changed by who knows it: that it is missing is seen from the request.
    operation: 'updateUser',
    variant: 'giving a password',
    on: 'user',
    needs: 'change',
    body: () => ({ password: randomUUID() }),
    deviates: (usual, { relation }) => (relation === 'oneself' ? 422 : usual),
  },
  { operation: 'deleteUser', on: 'user', needs: 'deletion' },
  { operation: 'listApiKeys', on: 'user', needs: 'keys' },
  {
    operation: 'createApiKey',
    on: 'organization',
    allowed: ['admin', 'manager', 'user', 'read_only'],
    body: () => ({ description: 'a key' }),
  },
  {
    operation: 'createApiKey',
    variant: 'for a project',
    on: 'project',
    needs: 'viewer',
    body: ({ project_id }) => ({ description: 'a key', project_id }),
    deviates: (usual, { caller }) => (hasPlainKey(caller) ? usual : 403),
  },
  { operation: 'deleteApiKey', on: 'api_key' },
];

export const ORGANIZATION: readonly Row[] = [
  { operation: 'listCollaboratorRoles', on: 'everyone' },
  { operation: 'checkAuditLog', on: 'organization', allowed: ['admin'] },
  { operation: 'listAuditLog', variant: 'all of it', on: 'organization', allowed: ['admin'] },
  {
    operation: 'listAuditLog',
    variant: 'of a project',
    on: 'project',
    needs: 'owner',
    query: ({ project_id, user_id }) => ({ object_kind: 'project', object_id: project_id, actor_id: user_id }),
    mixed: { user_id: 200 },
    reads: true,
  },
];
