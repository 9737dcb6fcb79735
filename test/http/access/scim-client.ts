import { expect } from 'vitest';
import { ADMIN, type TestServer } from '../harness.ts';

export interface ScimReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a reply is what the test says it is.
  readonly body: any;
}

export const SCIM = '/scim/v2';
export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Sends as providers do: a bearer token, and bodies of the media type of the protocol. */
export function scimClient(getServer: () => TestServer, token: string = ADMIN.api_key) {
  const send = async (method: string, path: string, body?: unknown): Promise<ScimReply> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json; charset=utf-8' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(getServer().url + SCIM + path, { method, headers, ...sent });
    const text = await reply.text();
    if (reply.status !== 204) expect(reply.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    return { status: reply.status, headers: reply.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    send,
    get: (path: string) => send('GET', path),
    find: (kind: string, filter: string, more = '') => send('GET', `/${kind}?filter=${encodeURIComponent(filter)}${more}`),
    patch: (path: string, ...Operations: object[]) => send('PATCH', path, { schemas: [PATCH_OP], Operations }),
    async create(kind: 'Users' | 'Groups', facts: object): Promise<string> {
      const reply = await send('POST', `/${kind}`, { schemas: [kind === 'Users' ? USER : GROUP], ...facts });
      expect(reply).toMatchObject({ status: 201 });
      return reply.body.id;
    },
  };
}

export const noneFound = {
  status: 200,
  body: { schemas: [LIST], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
};
