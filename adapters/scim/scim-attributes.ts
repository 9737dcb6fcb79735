/** Attributes by their names in lower case: names are compared without case, and replies have them as the schema writes them. */
export interface Attribute {
  readonly name: string;
  readonly kind: 'simple' | 'complex' | 'list';
  readonly subs: ReadonlyMap<string, string>;
}

export type Resource = Record<string, unknown>;

const byLowerCase = (names: readonly string[]): Map<string, string> => new Map(names.map((name) => [name.toLowerCase(), name]));

const attribute = (name: string, kind: Attribute['kind'] = 'simple', subs: readonly string[] = []): [string, Attribute] => [
  name.toLowerCase(),
  { name, kind, subs: byLowerCase(subs) },
];

const ELEMENT = ['value', 'type', 'primary', 'display'];

/** Attributes of a user that are looked at; all others are passed over. */
export const USER_ATTRIBUTES: ReadonlyMap<string, Attribute> = new Map([
  attribute('userName'),
  attribute('externalId'),
  attribute('displayName'),
  attribute('active'),
  attribute('name', 'complex', ['givenName', 'familyName']),
  attribute('emails', 'list', ELEMENT),
  attribute('roles', 'list', ELEMENT),
]);

export const GROUP_ATTRIBUTES: ReadonlyMap<string, Attribute> = new Map([
  attribute('displayName'),
  attribute('externalId'),
  attribute('members', 'list', ELEMENT),
]);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The known attributes of what a provider has sent, by the names of the schema. */
export function pickKnown(given: Readonly<Record<string, unknown>>, attributes: ReadonlyMap<string, Attribute>): Resource {
  const picked: Resource = {};
  for (const [name, value] of Object.entries(given)) {
    const known = attributes.get(name.toLowerCase());
    if (known) picked[known.name] = toKnownValue(known, value);
  }
  return picked;
}

/** Elements of lists may be sent as texts, and lists of one as that one. */
export function toKnownValue({ kind, subs }: Attribute, value: unknown): unknown {
  if (kind === 'simple') return value;
  if (kind === 'complex') return isObject(value) ? pickSubs(subs, value) : value;
  return [value ?? []].flat().map((one: unknown) => (isObject(one) ? pickSubs(subs, one) : { value: one }));
}

function pickSubs(subs: ReadonlyMap<string, string>, given: Readonly<Record<string, unknown>>): Resource {
  const picked: Resource = {};
  for (const [name, value] of Object.entries(given)) {
    const known = subs.get(name.toLowerCase());
    if (known !== undefined) picked[known] = value;
  }
  return picked;
}
