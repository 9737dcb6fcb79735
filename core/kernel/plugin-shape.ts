import { z } from 'zod';
import { ModelPrice } from '../plugin-sdk/model-price.ts';
import { DIALECT_FIELDS } from '../plugin-sdk/otel/otel-dialect.ts';
import { type PluginHead, SDK_VERSION } from '../plugin-sdk/plugin.ts';
import { RUN_SETTINGS, TRIAL_GROUNDS } from '../plugin-sdk/scorer-kind.ts';
import { jsonSchemaOf, secretPaths } from '../plugin-sdk/settings.ts';
import type { Plugin, PluginKind } from './plugin-kinds.ts';

const PLUGIN_ID = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

const FORMER_PATH = /^[a-z][a-z0-9_]*(\/[a-z][a-z0-9_-]*)+$/;

const text = z.string('is not a string').regex(/\S/, 'is empty');
const method = z.custom((value) => typeof value === 'function', 'is not a function');
const objectSchema = z.custom<z.ZodType>().superRefine((value, { addIssue }) => {
  const message = schemaFlaw(value);
  if (message !== undefined) addIssue({ code: 'custom', message });
});

const PluginHeadShape = z.object({
  stability: z.enum(['experimental', 'stable', 'deprecated'], 'is not experimental, stable or deprecated'),
  summary: text,
});
const Head = PluginHeadShape.extend({ create: method });
const formerPath = z.string().regex(FORMER_PATH, 'is not a path of words below the id of a plugin');
const prices = z.object({ page: z.httpUrl('is not a URL'), rows: z.array(ModelPrice), toPricedName: method.optional() });
const ModelProvider = Head.extend({
  label: text,
  settings: objectSchema,
  former_paths: z.array(formerPath).optional(),
  prices: prices.optional(),
});
const Word = z.string().regex(PLUGIN_ID, 'is not lower_snake_case');
const definition = objectSchema.refine(
  (value) => schemaFlaw(value) !== undefined || secretPaths(value).length === 0,
  'holds a secret, which belongs to an integration',
);
const shapeOf = (schema: z.ZodType): object => (schema instanceof z.ZodObject ? schema.shape : {});

const hasAll = ({ short, full }: { readonly short: z.ZodType; readonly full: z.ZodType }): boolean =>
  Object.keys(shapeOf(short)).every((name) => Object.hasOwn(shapeOf(full), name));
const viewFields = z.looseObject({ short: objectSchema, full: objectSchema }).refine(hasAll, 'full lacks fields of short');
const ScorerKind = Head.extend({
  label: text,
  definition,
  aliases: z.array(Word).optional(),
  former_paths: z.array(Word).optional(),
  model_type: z.enum(['llm', 'slm', 'code'], 'is not llm, slm or code').optional(),
  upload: z.looseObject({ read: method, text: method, fields: objectSchema.optional() }).optional(),
  trial: z
    .looseObject({ on: z.array(z.enum(TRIAL_GROUNDS)), body: objectSchema.optional(), read: method.optional() })
    .refine(({ body, read }) => (body === undefined) === (read === undefined), 'has to have both body and read, or neither')
    .optional(),
  view: z.looseObject({ show: method, fields: viewFields.optional() }).optional(),
  autogen: z.looseObject({ question: method, read: method }).optional(),
  run_settings: z.array(z.enum(RUN_SETTINGS)).optional(),
  surroundings: method.optional(),
  complete: method.optional(),
  refusal: method.optional(),
});
/** One character before the dot of a prefix would be recognised in nearly every span. */
const NAME = /^[^\s.][^\s]+$/;
const names = z.array(
  z.string().regex(NAME, 'is not the name of an attribute or event, nor the start of one that ends in a dot'),
);
const recognizes = z
  .strictObject({ scopes: z.array(text).optional(), attributes: names.optional(), events: names.optional() })
  .refine((by) => Object.values(by).some((list) => list.length > 0), 'recognises no span');
const source = z.looseObject({ rank: z.number('is not a number').positive('is not above 0'), read: method });
const OtelDialect = PluginHeadShape.extend({
  label: text,
  recognizes,
  sources: z.partialRecord(z.enum(DIALECT_FIELDS, 'is not a field of a span'), z.array(source)),
  metadata_prefixes: names.optional(),
  metadata_objects: names.optional(),
  secret_prefixes: names.optional(),
});
const NotificationChannel = Head.extend({ label: text, settings: objectSchema, is_signed: z.literal(true).optional() });
const extension = z.string().regex(/^\.[a-z0-9][a-z0-9_-]{0,29}$/, 'is not an extension such as .js');
const moduleUrl = z
  .instanceof(URL, { error: 'is not a URL' })
  .refine(({ protocol }) => protocol === 'file:', 'is not a file URL');
const CodeLanguage = Head.extend({
  label: text,
  extensions: z.array(extension).min(1, 'is empty'),
  content_types: z.array(z.string().regex(/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/, 'is not a media type in lower case')).optional(),
  takes_unknown_files: z.boolean().optional(),
  starter: text.optional(),
  preparation: moduleUrl.optional(),
});

/** `email` is how people with a password log in. */
const providerName = z
  .string()
  .regex(/^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/, 'is not a name in lower case such as azure-ad')
  .refine((name) => name !== 'email', 'is not the name of a provider');
const IdentityProvider = Head.extend({
  label: text,
  settings: objectSchema,
  names: z.array(providerName).min(1, 'is empty').optional(),
  issuers: method,
});

/** Schemas of the plugins of each kind. */
const SHAPES: Readonly<Record<PluginKind, z.ZodType>> = {
  model_provider: ModelProvider,
  scorer_kind: ScorerKind,
  notification_channel: NotificationChannel,
  otel_dialect: OtelDialect,
  code_language: CodeLanguage,
  identity_provider: IdentityProvider,
};

/** Whether a value says of itself that it is a plugin of a kind that is known. */
export function isPlugin(value: unknown): value is Plugin {
  const kind = typeof value === 'object' && value !== null ? (value as { kind?: unknown }).kind : undefined;
  return typeof kind === 'string' && Object.hasOwn(SHAPES, kind);
}

/** Returns the problem with the id or the SDK version of a plugin; undefined when there is none. */
export function malformedHead({ id, sdk }: PluginHead): string | undefined {
  if (!PLUGIN_ID.test(String(id))) return 'id is not lower_snake_case';
  return sdkFlaw(sdk);
}

/** Why a plugin that was written for this version of the SDK cannot be used; undefined when it can. */
export function sdkFlaw(sdk: unknown): string | undefined {
  if (sdk === SDK_VERSION) return undefined;
  if (typeof sdk !== 'number') return 'written for no SDK that has a number: sdk is the version of the SDK it was written for';
  const remedy = sdk < SDK_VERSION ? 'it needs a newer release of the plugin' : 'it needs a newer release of the service';
  return `written for SDK ${sdk}, this is SDK ${SDK_VERSION}: ${remedy}`;
}

/** Returns the problem with a plugin that no compiler has seen; undefined when there is none. */
export function malformed(plugin: PluginHead & { readonly kind: PluginKind }): string | undefined {
  const parsed = SHAPES[plugin.kind].safeParse(plugin);
  const flaws = parsed.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  return malformedHead(plugin) ?? flaws?.join(', ');
}

/** Why the host cannot read a schema, which may be of another copy of zod than its own; undefined when it can. */
function schemaFlaw(value: unknown): string | undefined {
  if (Object(value)._def !== undefined && Object(value)._zod === undefined)
    return 'is a schema of zod 3: it has to be one of zod 4';
  const json = printed(value);
  if (json === undefined) return 'is not a zod schema that prints as JSON Schema';
  if (!sharesMetadata(value as z.ZodType)) return `is a schema of ${OLD_ZOD}`;
  return json.type === 'object' ? undefined : 'is not a zod schema of an object';
}

/**
 * Whether a schema shares the registry of metadata, which holds the notes on fields such as secrets. Copies of zod
 * share one; the first releases of zod 4 had one each, and a secret that is noted there would be shown.
 */
function sharesMetadata(schema: z.ZodType): boolean {
  return typeof schema.meta !== 'function' || z.globalRegistry.has(schema.meta({ description: 'probe' }));
}

const OLD_ZOD = 'a copy of zod that keeps to itself what is secret: import z from touchstone/plugin-sdk, or bundle a newer zod';

function printed(value: unknown): { readonly type?: unknown } | undefined {
  try {
    return jsonSchemaOf(value as z.ZodType);
  } catch {
    return undefined;
  }
}
