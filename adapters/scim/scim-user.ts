import { z } from 'zod';
import type { ProvisionedUser, UserCondition, UserFacts } from '../../core/access/provisioning/provisioned.ts';
import { UserRole } from '../../core/access/role.ts';
import { Email } from '../../core/access/users/user.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { cleanText } from '../../core/kernel/text.ts';
import { isObject, pickKnown, type Resource, USER_ATTRIBUTES } from './scim-attributes.ts';
import { valueInvalid } from './scim-failure.ts';
import { type Comparison, parseFilter } from './scim-filter.ts';
import { applyOperations, isTrue, type Operation } from './scim-patch.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** Some providers send truth values as texts. */
const Truth = z.union([z.boolean(), z.string().transform((text, ctx) => toTruth(text) ?? refuse(ctx, 'is not a boolean'))]);
const PersonName = cleanText(0, 255).nullish();
/** An empty text stands for nothing. */
const optionalText = (max: number) =>
  cleanText(0, max)
    .nullish()
    .transform((text) => text || null);

const Element = z.object({
  value: z.string().max(1_000).nullish(),
  type: z.string().max(100).nullish(),
  primary: z.unknown().optional(),
});

const WantedUser = z.object({
  userName: cleanText(1, 320).trim().min(1),
  externalId: optionalText(1_000),
  displayName: optionalText(500),
  active: Truth.nullish(),
  name: z.object({ givenName: PersonName, familyName: PersonName }).nullish(),
  emails: z.array(Element).max(100).nullish(),
  roles: z.array(Element).max(100).nullish(),
});
type WantedUser = z.output<typeof WantedUser>;

/** The state that a whole resource describes. Who has no role in it keeps the one of `current`; `user` is that of new ones. */
export function toUserFacts(body: unknown, current?: ProvisionedUser): UserFacts {
  if (!isObject(body)) throw valueInvalid('the body is not an object');
  return parseFacts(pickKnown(body, USER_ATTRIBUTES), current);
}

/** The state that operations make of a user. An e-mail that is the user name goes with it. */
export function patchUser(current: ProvisionedUser, operations: readonly Operation[]): UserFacts {
  // The name that is shown for want of another one is not to become the one that is kept.
  const resource: Resource = { ...toAttributes(current), displayName: current.display_name };
  const touchesEmails = operations.some(({ attribute }) => attribute === 'emails');
  if (!touchesEmails && current.email === current.user_name.toLowerCase()) delete resource.emails;
  applyOperations(resource, operations, USER_ATTRIBUTES);
  return parseFacts(resource, current);
}

function parseFacts(resource: Resource, current: ProvisionedUser | undefined): UserFacts {
  const parsed = WantedUser.safeParse(resource);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw valueInvalid(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { userName, externalId, displayName, active, name } = parsed.data;
  return {
    user_name: userName,
    email: getEmail(parsed.data),
    external_id: externalId,
    display_name: displayName,
    first_name: name?.givenName ?? '',
    last_name: name?.familyName ?? '',
    role: getRole(parsed.data, current),
    is_active: active ?? true,
  };
}

/** The primary one, else that for work, else the first; without any the user name, where it is one. */
function getEmail({ userName, emails }: WantedUser): string {
  const given = (emails ?? []).filter(({ value }) => value);
  const chosen =
    given.find(({ primary }) => isTrue(primary)) ?? given.find(({ type }) => type?.toLowerCase() === 'work') ?? given[0];
  const parsed = Email.safeParse(chosen?.value ?? userName);
  if (!parsed.success) throw valueInvalid(`${chosen ? 'emails' : 'userName, without emails'}: is not an e-mail address`);
  return parsed.data;
}

function getRole({ roles }: WantedUser, current: ProvisionedUser | undefined): UserRole {
  if (!roles) return current?.role ?? 'user';
  const given = roles.filter(({ value }) => value);
  const chosen = given.find(({ primary }) => isTrue(primary)) ?? given[0];
  if (!chosen) return 'user';
  const parsed = UserRole.safeParse(chosen.value?.toLowerCase());
  if (!parsed.success) throw valueInvalid(`roles: is none of ${UserRole.options.join(', ')}`);
  return parsed.data;
}

/** The resource as replies have it, without `meta`. */
export const toUserResource = (user: ProvisionedUser): Resource => ({
  schemas: [USER_SCHEMA],
  id: user.id,
  ...toAttributes(user),
});

function toAttributes({ user_name, external_id, display_name, first_name, last_name, email, role, is_active }: ProvisionedUser) {
  const formatted = [first_name, last_name].filter((name) => name !== '').join(' ');
  return {
    userName: user_name,
    ...(external_id === null ? {} : { externalId: external_id }),
    name: { formatted, givenName: first_name, familyName: last_name },
    displayName: display_name ?? (formatted || email),
    active: is_active,
    emails: [{ value: email, type: 'work', primary: true }],
    roles: [{ value: role, primary: true }],
  };
}

const CONDITIONS: Readonly<Record<string, Exclude<UserCondition['name'], 'is_active'>>> = {
  id: 'id',
  username: 'user_name',
  externalid: 'external_id',
  emails: 'email',
  'emails.value': 'email',
};

/** The conditions of a filter. What tells the one e-mail that users have from others is true of all. */
export function toUserConditions(filter: string): UserCondition[] {
  return parseFilter(filter).flatMap((comparison): UserCondition[] => {
    const { path, operator, value } = comparison;
    if (operator !== 'eq') throw notServed(comparison);
    if (path === 'emails.type' || path === 'emails.primary') return [];
    if (path === 'active') {
      const truth = toTruth(String(value));
      if (truth === undefined) throw notServed(comparison);
      return [{ name: 'is_active', value: truth }];
    }
    const name = CONDITIONS[path];
    if (name === undefined || typeof value !== 'string') throw notServed(comparison);
    return [{ name, value }];
  });
}

export const notServed = ({ path, operator }: Comparison): AppError =>
  new AppError('bad_request', 'scim_filter_invalid', `a comparison of ${path} by ${operator} is not served`);

function toTruth(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

function refuse(ctx: z.RefinementCtx, message: string): never {
  ctx.addIssue({ code: 'custom', message });
  return z.NEVER;
}
