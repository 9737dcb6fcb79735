import type { z } from 'zod';
import { MAX_MEMBERS_NAMED, type NewProvisionedGroup } from '../../core/access/provisioning/group-provisioning-service.ts';
import type { GroupCondition, GroupFacts, MemberChange, ProvisionedGroup } from '../../core/access/provisioning/provisioned.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { cleanText, Id } from '../../core/kernel/text.ts';
import { GROUP_ATTRIBUTES, isObject, pickKnown, type Resource, toKnownValue } from './scim-attributes.ts';
import { valueInvalid } from './scim-failure.ts';
import { parseFilter } from './scim-filter.ts';
import type { Operation } from './scim-patch.ts';
import { notServed } from './scim-user.ts';

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const GroupName = cleanText(1, 128).refine((name) => name.trim().length > 0, { message: 'is blank' });
const ExternalId = cleanText(0, 1_000)
  .nullish()
  .transform((text) => text || null);
const MEMBERS = GROUP_ATTRIBUTES.get('members')!;

/** The state that a whole resource describes: nobody else is in the group. */
export function toGroupFacts(body: unknown): NewProvisionedGroup {
  if (!isObject(body)) throw valueInvalid('the body is not an object');
  const { displayName, externalId, members } = pickKnown(body, GROUP_ATTRIBUTES);
  return {
    name: parse(GroupName, 'displayName', displayName),
    external_id: parse(ExternalId, 'externalId', externalId),
    members: new Members().replace(members ?? []).change,
  };
}

/** The changes that operations make to a group. */
export function patchGroup(operations: readonly Operation[]): GroupFacts {
  let facts: GroupFacts = {};
  const members = new Members();
  for (const { attribute, op, where, sub, value } of operations) {
    if (attribute === 'displayname') facts = { ...facts, name: parse(GroupName, 'displayName', op === 'remove' ? null : value) };
    if (attribute === 'externalid')
      facts = { ...facts, external_id: parse(ExternalId, 'externalId', op === 'remove' ? null : value) };
    if (attribute !== 'members') continue;
    if (sub !== undefined) throw new AppError('bad_request', 'scim_path_invalid', 'members are changed as a whole');
    if (where.length > 0) members.changeOne(op, getMemberId(where));
    else if (op === 'remove') members.remove(value);
    else if (op === 'replace') members.replace(value);
    else members.add(value);
  }
  return members.isTouched ? { ...facts, members: members.change } : facts;
}

/** `members[value eq "…"]`. */
function getMemberId(where: Operation['where']): string {
  const [only] = where;
  if (where.length !== 1 || only?.path !== 'value' || only.operator !== 'eq')
    throw new AppError('bad_request', 'scim_path_invalid', 'members are chosen by value eq');
  return parse(Id, 'members', only.value);
}

/** Collects the changes of a row of operations to the members, without knowing who they are. */
class Members {
  isTouched = false;
  #keeps = true;
  readonly #add = new Set<string>();
  readonly #remove = new Set<string>();
  #named = 0;

  get change(): MemberChange {
    return { keeps: this.#keeps, add: this.#add, remove: this.#remove };
  }

  add(value: unknown): this {
    for (const id of this.#parse(value)) {
      this.#add.add(id);
      this.#remove.delete(id);
    }
    return this;
  }

  /** Without a value, all of them. */
  remove(value: unknown): this {
    if (value === undefined || value === null) return this.replace([]);
    for (const id of this.#parse(value)) {
      this.#add.delete(id);
      this.#remove.add(id);
    }
    return this;
  }

  replace(value: unknown): this {
    this.#keeps = false;
    this.#add.clear();
    this.#remove.clear();
    return this.add(value);
  }

  changeOne(op: Operation['op'], id: string): void {
    if (op === 'remove') this.remove([{ value: id }]);
    else this.add([{ value: id }]);
  }

  #parse(value: unknown): string[] {
    this.isTouched = true;
    const given = toKnownValue(MEMBERS, value) as Resource[];
    this.#named += given.length;
    if (this.#named > MAX_MEMBERS_NAMED)
      throw new AppError('too_large', 'scim_members_too_many', `more than ${MAX_MEMBERS_NAMED} members are named at once`);
    return given.map((one) => parse(Id, 'members', one.value));
  }
}

/** The resource as replies have it, without `meta`. */
export const toGroupResource = ({ id, name, external_id, members }: ProvisionedGroup): Resource => ({
  schemas: [GROUP_SCHEMA],
  id,
  displayName: name,
  ...(external_id === null ? {} : { externalId: external_id }),
  ...(members && { members: members.map(({ user_id, email }) => ({ value: user_id, display: email, type: 'User' })) }),
});

const CONDITIONS: Readonly<Record<string, GroupCondition['name']>> = {
  id: 'id',
  displayname: 'name',
  externalid: 'external_id',
  members: 'member',
  'members.value': 'member',
};

export function toGroupConditions(filter: string): GroupCondition[] {
  return parseFilter(filter).map((comparison) => {
    const name = CONDITIONS[comparison.path];
    const { operator, value } = comparison;
    if (operator !== 'eq' || name === undefined || typeof value !== 'string') throw notServed(comparison);
    return { name, value };
  });
}

function parse<T>(schema: z.ZodType<T>, name: string, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw valueInvalid(`${name}: ${parsed.error.issues[0]?.message}`);
  return parsed.data;
}
