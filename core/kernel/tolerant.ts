import { z } from 'zod';

type Any = z.core.$ZodType;
type Def = z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, Any>>;

const done = new WeakMap<Any, Any>();

/**
 * Robustness principle for requests: the same schema, taking null for every optional field and ignoring unknown fields, at every
 * level (companion R2, R3). Null counts as absent wherever the schema itself does not say what it means. Checks, names
 * and descriptions stay; a schema that is tolerant already is returned as it is.
 */
export function tolerant<S extends z.ZodType>(schema: S): S {
  return rebuilt(schema) as S;
}

function rebuilt(schema: Any): Any {
  const known = done.get(schema);
  if (known) return known;
  const made = isTolerant(schema, new Set()) ? schema : rebuild(schema);
  done.set(schema, made);
  return made;
}

function rebuild(schema: Any): Any {
  const def = defOf(schema);
  // A schema that contains itself finds what is made of it once that is there.
  if (def.type === 'lazy') return z.lazy(() => rebuilt((def.getter as () => Any)()));
  if (def.type === 'object') return getObject(schema, def);
  const again = (part: unknown) => (isSchema(part) ? rebuilt(part) : part);
  const { checks, ...parts } = def;
  const made = Object.entries(parts).map(([name, part]) => [name, Array.isArray(part) ? part.map(again) : again(part)]);
  return named(cloned(schema, { ...Object.fromEntries(made), ...(checks ? { checks } : {}) }), schema);
}

function getObject(schema: Any, def: Def): Any {
  const fields = Object.entries(def.shape as Shape);
  const shape = Object.fromEntries(fields.map(([name, field]) => [name, getField(rebuilt(field))]));
  const { catchall, ...rest } = def;
  const others = catchall && !isNever(catchall) ? { catchall: rebuilt(catchall as Any) } : {};
  const made = cloned(schema, { ...rest, shape, ...others });
  const mayHoldUndefined = fields.some(([, field]) => refusesNull(field));
  // Fields of null are gone from here on, for whoever spreads the object over what is stored.
  return named(mayHoldUndefined ? made.pipe(z.transform(withoutUndefined)) : made, schema);
}

function getField(field: Any): Any {
  if (!refusesNull(field)) return field;
  // Parsed each time: nobody is to hand on the default value of somebody else.
  return nullable(field).transform((given) => (given === null ? z.core.parse(field, undefined) : given));
}

/** With null next to the values, beneath the default and the description that documents print. */
function nullable(field: Any): z.ZodType {
  const def = defOf(field);
  const isAround = def.type === 'default' || def.type === 'prefault' || def.type === 'optional';
  return isAround ? named(cloned(field, { ...def, innerType: z.nullable(def.innerType as Any) }), field) : z.nullable(field);
}

function withoutUndefined(value: unknown): unknown {
  return Object.fromEntries(Object.entries(value as object).filter(([, field]) => field !== undefined));
}

/** The same kind of schema with the same checks. */
const cloned = (schema: Any, def: object): z.ZodType => z.core.clone(schema, def as typeof schema._zod.def) as z.ZodType;

/** Under the name and with the description of another schema. */
function named(made: z.ZodType, like: Any): z.ZodType {
  const meta = z.globalRegistry.get(like);
  return meta ? made.register(z.globalRegistry, meta) : made;
}

/** Whether nothing that can be reached from here is too strict. */
function isTolerant(schema: Any, seen: Set<Any>): boolean {
  if (seen.has(schema)) return true;
  seen.add(schema);
  const def = defOf(schema);
  if (def.type === 'object' && (isNever(def.catchall) || Object.values(def.shape as Shape).some(refusesNull))) return false;
  return toParts(def).every((part) => isTolerant(part, seen));
}

function toParts(def: Def): Any[] {
  if (def.type === 'lazy') return [(def.getter as () => Any)()];
  const inShape = def.type === 'object' ? Object.values(def.shape as Shape) : [];
  const { checks: _checks, ...parts } = def;
  return [...inShape, ...Object.values(parts).flat().filter(isSchema)];
}

const refusesNull = (field: Any): boolean => field._zod.optin !== undefined && !z.core.safeParse(field, null).success;
const isNever = (schema: unknown): boolean => isSchema(schema) && defOf(schema).type === 'never';
const isSchema = (value: unknown): value is Any => typeof value === 'object' && value !== null && '_zod' in value;
const defOf = (schema: Any): Def => schema._zod.def as unknown as Def;
