import { z } from 'zod';
import { AppError } from '../../core/kernel/errors.ts';
import { type Attribute, isObject, type Resource, toKnownValue } from './scim-attributes.ts';
import { valueInvalid } from './scim-failure.ts';
import { type AttributePath, type Comparison, parsePath } from './scim-filter.ts';

const MAX_OPERATIONS = 1_000;
const MAX_ELEMENTS = 100;

const Operation = z.object({
  op: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['add', 'replace', 'remove'])),
  path: z.string().nullish(),
  value: z.unknown().optional(),
});

/** One operation on one attribute. */
export interface Operation extends AttributePath {
  readonly op: 'add' | 'replace' | 'remove';
  readonly value: unknown;
}

/**
 * Reads the operations of a PATCH, RFC 7644 section 3.5.2. One without a path has an object of values by their paths, as providers send it
 * (`{"active": false}`, `{"name.givenName": "Ada"}`), and stands for one operation each.
 */
export function parseOperations(body: unknown): Operation[] {
  const given = isObject(body) ? Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1] : undefined;
  const parsed = z.array(Operation).min(1).max(MAX_OPERATIONS).safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = ['Operations', ...(issue?.path ?? [])].join('.');
    throw new AppError('bad_request', 'scim_operations_invalid', `${where}: ${issue?.message}`);
  }
  const operations = parsed.data.flatMap(({ op, path, value }) => {
    if (path) return [{ ...parsePath(path), op, value }];
    if (op === 'remove' || !isObject(value)) throw noPath();
    return Object.entries(value).map(([name, one]) => ({ ...parsePath(name), op, value: one }));
  });
  if (operations.length > MAX_OPERATIONS)
    throw new AppError('bad_request', 'scim_operations_invalid', `more than ${MAX_OPERATIONS} values are changed at once`);
  return operations;
}

/** Changes a resource by operations; those on attributes that are not known change nothing. */
export function applyOperations(
  resource: Resource,
  operations: readonly Operation[],
  attributes: ReadonlyMap<string, Attribute>,
): void {
  for (const operation of operations) {
    const attribute = attributes.get(operation.attribute);
    if (attribute) apply(resource, attribute, operation);
  }
}

function apply(resource: Resource, attribute: Attribute, operation: Operation): void {
  const { name } = attribute;
  if (attribute.kind === 'list') applyToList(resource, attribute, operation);
  else if (attribute.kind === 'complex') {
    const current = isObject(resource[name]) ? resource[name] : {};
    resource[name] = { ...current, ...toSubs(attribute, operation) };
  } else resource[name] = operation.op === 'remove' ? null : operation.value;
}

/** The sub-attributes of a complex attribute that an operation changes, with their new values. */
function toSubs(attribute: Attribute, { op, sub, value }: Operation): Resource {
  if (sub !== undefined) {
    const known = attribute.subs.get(sub);
    return known === undefined ? {} : { [known]: op === 'remove' ? null : value };
  }
  if (op === 'remove') return Object.fromEntries([...attribute.subs.values()].map((name) => [name, null]));
  const given = toKnownValue(attribute, value);
  if (!isObject(given)) throw valueInvalid(`${attribute.name} is not an object`);
  return given;
}

function applyToList(resource: Resource, attribute: Attribute, operation: Operation): void {
  const { name } = attribute;
  const current = toKnownValue(attribute, resource[name]) as Resource[];
  const changed = operation.op === 'remove' ? without(current, attribute, operation) : withValue(current, attribute, operation);
  if (changed.length > MAX_ELEMENTS) throw valueInvalid(`${name} has more than ${MAX_ELEMENTS} elements`);
  resource[name] = changed;
}

/** Elements that are left. Some providers name those to take out as the value, not in the path. */
export function without(current: readonly Resource[], attribute: Attribute, { where, sub, value }: Operation): Resource[] {
  if (sub !== undefined) {
    const known = attribute.subs.get(sub);
    return current.map((one) => (known !== undefined && meets(one, where) ? { ...one, [known]: null } : one));
  }
  if (where.length > 0) return current.filter((one) => !meets(one, where));
  const named = new Set(value === undefined || value === null ? [] : (toKnownValue(attribute, value) as Resource[]).map(toText));
  return named.size === 0 ? [] : current.filter((one) => !named.has(toText(one)));
}

function withValue(current: readonly Resource[], attribute: Attribute, operation: Operation): Resource[] {
  const { op, where, sub, value } = operation;
  if (where.length === 0 && sub === undefined) {
    const given = toKnownValue(attribute, value) as Resource[];
    return op === 'replace' ? given : givingWay(current, given);
  }
  const change = toElement(attribute, sub, value);
  // Providers replace what they have never added, too, and mean: let it be there.
  if (!current.some((one) => meets(one, where))) return [...current, { ...toWanted(attribute, where), ...change }];
  return current.map((one) => (meets(one, where) ? { ...one, ...change } : one));
}

/** One element is the primary one: a new one takes the place of the one before it. */
function givingWay(current: readonly Resource[], added: readonly Resource[]): Resource[] {
  const hasPrimary = added.some(({ primary }) => isTrue(primary));
  return [...(hasPrimary ? current.map((one) => ({ ...one, primary: false })) : current), ...added];
}

function toElement(attribute: Attribute, sub: string | undefined, value: unknown): Resource {
  if (sub === undefined) return (toKnownValue(attribute, value) as Resource[])[0] ?? {};
  const known = attribute.subs.get(sub);
  return known === undefined ? {} : { [known]: value };
}

/** The element that the conditions describe. */
function toWanted({ subs }: Attribute, where: readonly Comparison[]): Resource {
  return Object.fromEntries(where.flatMap(({ path, value }) => (subs.has(path) ? [[subs.get(path)!, value]] : [])));
}

function meets(element: Resource, where: readonly Comparison[]): boolean {
  return where.every(({ path, operator, value }) => {
    if (operator !== 'eq') throw new AppError('bad_request', 'scim_path_invalid', `${operator} in a path is not served`);
    return String(element[path] ?? '').toLowerCase() === String(value ?? '').toLowerCase();
  });
}

const toText = ({ value }: Resource): string => String(value).toLowerCase();

export const isTrue = (value: unknown): boolean => String(value).toLowerCase() === 'true';

const noPath = (): AppError =>
  new AppError('bad_request', 'scim_operations_invalid', 'an operation without a path has no object of values');
