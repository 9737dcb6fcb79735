import type { Authorizer } from '../../core/access/authorizer.ts';
import type { Caller } from '../../core/access/caller.ts';
import type { GroupProvisioningService } from '../../core/access/provisioning/group-provisioning-service.ts';
import type { Found, ProvisionedGroup, ProvisionedUser } from '../../core/access/provisioning/provisioned.ts';
import type { UserProvisioningService } from '../../core/access/provisioning/user-provisioning-service.ts';
import { AppError } from '../../core/kernel/errors.ts';
import type { Resource } from './scim-attributes.ts';
import { MAX_COUNT, resourceTypes, schemas, serviceProviderConfig } from './scim-discovery.ts';
import { patchGroup, toGroupConditions, toGroupFacts, toGroupResource } from './scim-group.ts';
import { parseOperations } from './scim-patch.ts';
import { patchUser, toUserConditions, toUserFacts, toUserResource } from './scim-user.ts';

export interface ScimRequest {
  readonly method: string;
  /** Behind `/scim/v2`, without slashes at the ends: `Users/…`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Address of `/scim/v2` as the caller knows it. */
  readonly base: string;
}

export interface ScimReply {
  readonly status: 200 | 201 | 204 | 405;
  readonly body?: Resource;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ScimServerDeps {
  readonly userProvisioningService: UserProvisioningService;
  readonly groupProvisioningService: GroupProvisioningService;
  readonly authorizer: Authorizer;
}

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const DEFAULT_COUNT = 100;
const MAX_INDEX = 2_147_483_647;

/** A request with what of it replies depend on. */
interface Call extends ScimRequest {
  readonly caller: Caller;
}

/** SCIM 2.0 (RFC 7643, RFC 7644) for users and groups, as far as `/ServiceProviderConfig` says. Bodies are parsed JSON. */
export class ScimServer {
  readonly #deps: ScimServerDeps;

  constructor(deps: ScimServerDeps) {
    this.#deps = deps;
  }

  /** Rejects with AppError; `toScimError` gives it the form of the protocol. */
  async handle(caller: Caller, request: ScimRequest): Promise<ScimReply> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'provision');
    const [kind = '', id, ...more] = request.path.split('/');
    if (more.length > 0) throw noSuchPath();
    const call = { ...request, caller };
    if (kind === 'Users') return id === undefined ? this.#users(call) : this.#user(call, id);
    if (kind === 'Groups') return id === undefined ? this.#groups(call) : this.#group(call, id);
    return discover(call, kind, id);
  }

  async #users(call: Call): Promise<ScimReply> {
    const { userProvisioningService } = this.#deps;
    if (call.method === 'POST') {
      const user = await userProvisioningService.create(call.caller, toUserFacts(call.body));
      return created(call, shownUser(call, user));
    }
    if (call.method !== 'GET') return notAllowed('GET, POST');
    const filter = call.query.get('filter');
    const slice = sliceOf(call);
    const found = await userProvisioningService.search(call.caller, filter ? toUserConditions(filter) : [], slice);
    return listed(call, found, (user) => shownUser(call, user));
  }

  async #user(call: Call, id: string): Promise<ScimReply> {
    const { userProvisioningService: users } = this.#deps;
    const { caller, method, body } = call;
    if (method === 'GET') return shown(shownUser(call, await users.get(caller, id)));
    if (method === 'PUT') return shown(shownUser(call, await users.update(caller, id, (current) => toUserFacts(body, current))));
    if (method === 'PATCH') {
      const operations = parseOperations(body);
      return shown(shownUser(call, await users.update(caller, id, (current) => patchUser(current, operations))));
    }
    if (method !== 'DELETE') return notAllowed('GET, PUT, PATCH, DELETE');
    await users.remove(caller, id);
    return { status: 204 };
  }

  async #groups(call: Call): Promise<ScimReply> {
    const { groupProvisioningService: groups } = this.#deps;
    if (call.method === 'POST') {
      const group = await groups.create(call.caller, toGroupFacts(call.body));
      return created(call, shownGroup(call, group));
    }
    if (call.method !== 'GET') return notAllowed('GET, POST');
    const filter = call.query.get('filter');
    const conditions = filter ? toGroupConditions(filter) : [];
    const found = await groups.search(call.caller, conditions, sliceOf(call), isAsked(call, 'members'));
    return listed(call, found, (group) => shownGroup(call, group));
  }

  async #group(call: Call, id: string): Promise<ScimReply> {
    const { groupProvisioningService: groups } = this.#deps;
    const { caller, method, body } = call;
    if (method === 'DELETE') {
      await groups.remove(caller, id);
      return { status: 204 };
    }
    if (method === 'PATCH') {
      await groups.update(caller, id, patchGroup(parseOperations(body)));
      // A group of thousands is not sent back for each member that comes or goes.
      return { status: 204 };
    }
    if (method === 'PUT') await groups.update(caller, id, toGroupFacts(body));
    else if (method !== 'GET') return notAllowed('GET, PUT, PATCH, DELETE');
    return shown(shownGroup(call, await groups.get(caller, id, isAsked(call, 'members'))));
  }
}

function discover(call: Call, kind: string, id: string | undefined): ScimReply {
  const { method, base } = call;
  if (kind === 'ServiceProviderConfig' && id === undefined)
    return method === 'GET' ? shown(serviceProviderConfig(base)) : notAllowed('GET');
  const all = kind === 'ResourceTypes' ? resourceTypes(base) : kind === 'Schemas' ? schemas(base) : undefined;
  if (!all) throw noSuchPath();
  if (method !== 'GET') return notAllowed('GET');
  if (id === undefined) return shown(toList(all.length, 1, all));
  const one = all.find((resource) => resource.id === id);
  if (!one) throw noSuchPath();
  return shown(one);
}

const shownUser = (call: Call, user: ProvisionedUser): Resource => projected(call, 'User', user, toUserResource(user));

const shownGroup = (call: Call, group: ProvisionedGroup): Resource => projected(call, 'Group', group, toGroupResource(group));

/** With `meta`, and without the attributes that were not asked for. */
function projected(
  call: Call,
  resourceType: 'User' | 'Group',
  { id, created_at, updated_at }: ProvisionedUser | ProvisionedGroup,
  resource: Resource,
): Resource {
  const location = `${call.base}/${resourceType}s/${id}`;
  const whole: Resource = { ...resource, meta: { resourceType, created: created_at, lastModified: updated_at, location } };
  const isKept = (name: string) => name === 'schemas' || name === 'id' || isAsked(call, name);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => isKept(name)));
}

/** By `attributes` and `excludedAttributes`, of which the first parts of the names count. */
function isAsked({ query }: Call, name: string): boolean {
  const wanted = namesIn(query.get('attributes'));
  const isWanted = wanted.length === 0 || wanted.includes(name.toLowerCase());
  return isWanted && !namesIn(query.get('excludedAttributes')).includes(name.toLowerCase());
}

const namesIn = (text: string | null): string[] =>
  (text ?? '')
    .slice(0, 2_000)
    .toLowerCase()
    .split(',')
    .map(
      (name) =>
        name
          .trim()
          .replace(/^urn:.*:/, '')
          .split('.')[0]!,
    )
    .filter((name) => name !== '');

/** `startIndex` counts from 1; a `count` of 0 asks for the number alone. */
function sliceOf({ query }: Call): { offset: number; limit: number } {
  const index = toInteger(query.get('startIndex'), 1);
  const count = toInteger(query.get('count'), DEFAULT_COUNT);
  return { offset: Math.min(Math.max(index, 1), MAX_INDEX) - 1, limit: Math.min(Math.max(count, 0), MAX_COUNT) || 1 };
}

function toInteger(text: string | null, byDefault: number): number {
  if (text === null || text === '') return byDefault;
  const given = Number(text);
  if (!Number.isInteger(given)) throw new AppError('bad_request', 'scim_value_invalid', 'startIndex and count are whole numbers');
  return given;
}

function listed<T>(call: Call, { total, items }: Found<T>, toResource: (item: T) => Resource): ScimReply {
  const wantsNone = toInteger(call.query.get('count'), DEFAULT_COUNT) <= 0;
  return shown(toList(total, sliceOf(call).offset + 1, wantsNone ? [] : items.map(toResource)));
}

const toList = (totalResults: number, startIndex: number, Resources: readonly Resource[]): Resource => ({
  schemas: [LIST_SCHEMA],
  totalResults,
  startIndex,
  itemsPerPage: Resources.length,
  Resources,
});

const shown = (body: Resource): ScimReply => ({ status: 200, body });

const created = ({ base }: Call, body: Resource): ScimReply => {
  const kind = (body.schemas as string[])[0]!.split(':').at(-1);
  return { status: 201, body, headers: { Location: `${base}/${kind}s/${body.id}` } };
};

const notAllowed = (allowed: string): ScimReply => ({ status: 405, headers: { Allow: allowed } });

const noSuchPath = (): AppError => new AppError('not_found', 'path_not_found', 'no such path');
