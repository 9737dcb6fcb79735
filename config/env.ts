import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { S3Settings } from '../adapters/object-storage/s3-object-store.ts';
import type { ConfiguredProviders } from '../core/identity/configured-provider.ts';
import type { OtlpSettings } from '../core/otel/destination-finder.ts';
import { renamedProblems } from './renamed-settings.ts';
import { socialProviders } from './social-providers.ts';

/** Items between commas. */
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** `alias=word,alias=word` */
const aliases = list.transform((pairs, ctx) => {
  const table: Record<string, string> = {};
  for (const pair of pairs) {
    const [alias, word, ...rest] = pair.split('=');
    if (!alias || !word || rest.length > 0) ctx.addIssue({ code: 'custom', message: `"${pair}" is not of the form alias=word` });
    else table[alias] = word;
  }
  return table;
});

/** How many proxies stand in front, or their addresses as a list of networks. */
const proxies = z.union([
  z.string().regex(/^\d+$/).transform(Number),
  list.refine((networks) => networks.every(isNetwork), {
    message: 'is neither a number of proxies nor a list of addresses and networks',
  }),
]);

const isNetwork = (text: string): boolean => /^(loopback|linklocal|uniquelocal)$/.test(text) || isIP(text.split('/')[0]!) > 0;

/** `host`, `host:port`, an address or a network. */
const isEndpoint = (text: string): boolean => {
  const [address = '', length, ...rest] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (length === undefined) return bits > 0 || /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(text);
  return bits > 0 && rest.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits;
};

/** A list that each request is compared with. */
const MAX_ORIGINS = 100;
/** As browsers write it in `Origin`: lower case, no path, no default port. */
const isOrigin = (text: string): boolean => URL.canParse(text) && /^https?:[^*]*$/.test(text) && new URL(text).origin === text;

/** One line of JSON with strings by name. */
const strings = z.string().transform((text, ctx): Record<string, string> => {
  const parsed = z.record(z.string(), z.string()).safeParse(toJson(text));
  if (parsed.success) return parsed.data;
  ctx.addIssue({ code: 'custom', message: 'is not a JSON object of strings' });
  return z.NEVER;
});

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** HS256 wants 32 bytes; a text may have more of them than characters, never fewer. */
const secret = z.string().min(32);

const MEBIBYTE = 1024 * 1024;

/** `service.` is OpenTelemetry's own: it says what a service is, not where its traces go. */
const attributePrefixes = list.refine(
  (prefixes) => prefixes.length > 0 && prefixes.every((prefix) => prefix.endsWith('.') && prefix !== 'service.'),
  { message: 'is no list of prefixes that end in a full stop, or has service. among them' },
);

/** A folder, or `s3://bucket/prefix`. */
const objectLocation = z
  .string()
  .refine((text) => !text.includes('://') || /^s3:\/\/[a-z\d][a-z\d.-]{1,61}[a-z\d](\/[\w.=-]+)*\/?$/.test(text), {
    message: 'is neither a folder nor of the form s3://bucket/prefix',
  });

/** Every variable the service reads. `.env.example` lists the same names. */
export const Env = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8088),
  STORE: z.enum(['postgres', 'memory']).default('postgres'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOLER_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_READ_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_READ_MAX_STALENESS_SECONDS: z.coerce.number().int().min(1).max(3_600).default(10),
  DATA_DIR: z.string().min(1).default('./data'),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: z.string().min(8).max(1024).optional(),
  ADMIN_API_KEY: z.string().min(16).max(1024).optional(),
  ACCESS_TOKEN_SECRET: secret.optional(),
  ACCESS_TOKEN_OLD_SECRETS: list.pipe(z.array(secret)).default([]),
  API_KEY_HEADERS: list.refine((names) => names.length > 0, { message: 'names no header' }).default(['Service-API-Key']),
  WORD_ALIASES: aliases.default({}),
  TRUSTED_PROXIES: proxies.optional(),
  CORS_ORIGINS: list
    .refine((origins) => origins.length <= MAX_ORIGINS && origins.every(isOrigin), {
      message: 'is not a list of origins such as https://app.example.org, exact ones without a path or a star',
    })
    .default([]),
  ORGANIZATION_NAME: z.string().trim().min(1).max(255).optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^([^\p{Cc}<>@]*<[^\s\p{Cc}<>@]+@[^\s\p{Cc}<>@]+>|[^\s\p{Cc}<>@]+@[^\s\p{Cc}<>@]+)$/u, {
      message: 'is neither "a@b.c" nor "Name <a@b.c>"',
    })
    .optional(),
  SOCIAL_PROVIDERS: socialProviders.default({}),
  PLUGINS: list.default([]),
  PLUGIN_SETTINGS: strings.default({}),
  MODEL_PRICES_FILE: z.string().min(1).optional(),
  SECRETS_KEY: secret.optional(),
  SECRETS_OLD_KEYS: list.pipe(z.array(secret)).default([]),
  ALLOWED_PRIVATE_ENDPOINTS: list
    .refine((entries) => entries.every(isEndpoint), { message: 'is not a list of hosts, addresses and networks' })
    .default([]),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
  MAX_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(25 * MEBIBYTE),
  MAX_BYTES_IN_FLIGHT: z.coerce
    .number()
    .int()
    .min(1024)
    .default(128 * MEBIBYTE),
  OTLP_MAX_BODY_BYTES: z.coerce
    .number()
    .int()
    .min(1024)
    .default(64 * MEBIBYTE),
  MAX_PROJECT_FILE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(10 * 1024 * MEBIBYTE),
  FILE_STORE: z.enum(['database', 's3']).default('database'),
  FILE_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { message: 'is not the name of a bucket' })
    .optional(),
  FILE_BUCKET_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,50}$/)
    .default('us-east-1'),
  FILE_BUCKET_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  FILE_BUCKET_PUBLIC_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  FILE_URL_SECONDS: z.coerce.number().int().min(0).max(3_600).default(0),
  FILE_BUCKET_PREFIX: z
    .string()
    .max(500)
    .regex(/^([\w.-]+\/)*$/, { message: 'is no path that ends in a slash' })
    .default(''),
  FILE_BUCKET_ACCESS_KEY_ID: z.string().min(1).optional(),
  FILE_BUCKET_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  OTLP_GRPC_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  SELF_TRACE_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  SELF_TRACE_HEADERS: strings.default({}),
  SELF_TRACE_RATIO: z.coerce.number().min(0).max(1).default(0.1),
  OTLP_CREATE_PROJECTS: z.stringbool().default(true),
  OTLP_ATTRIBUTE_PREFIXES: attributePrefixes.default(['eval.']),
  TRACE_IDLE_SECONDS: z.coerce.number().int().min(1).max(86_400).default(120),
  SESSION_IDLE_SECONDS: z.coerce.number().int().min(1).max(86_400).default(60),
  JUDGE_CALL_DAYS: z.coerce.number().int().min(1).max(3_650).default(30),
  QUERY_MAX_ROWS: z.coerce.number().int().min(0).default(25_000_000),
  BACKUP_VERIFY_FOLDER: z.string().min(1).optional(),
  BACKUP_VERIFY_HOURS: z.coerce.number().int().min(1).max(8_760).default(24),
  EXPORT_TO: objectLocation.optional(),
  EXPORT_INTERVAL_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300),
  EXPORT_MERGE_AFTER_SECONDS: z.coerce.number().int().min(0).max(604_800).default(3_600),
  EXPORT_BUCKET_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  EXPORT_BUCKET_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .default('us-east-1'),
  EXPORT_BUCKET_ACCESS_KEY_ID: z.string().min(1).optional(),
  EXPORT_BUCKET_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  EXPORT_BUCKET_SESSION_TOKEN: z.string().min(1).optional(),
});

const Checked = Env.refine(({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined, {
  path: ['MAIL_FROM'],
  message: 'is needed with SMTP_URL',
})
  .refine((values) => values.FILE_STORE === 'database' || toS3Settings(values) !== undefined, {
    path: ['FILE_STORE'],
    message: 's3 needs FILE_BUCKET, FILE_BUCKET_ACCESS_KEY_ID and FILE_BUCKET_SECRET_ACCESS_KEY',
  })
  .refine(({ STORE, DATABASE_URL }) => STORE !== 'memory' || DATABASE_URL === undefined, {
    path: ['DATABASE_URL'],
    message: 'is of no use with STORE=memory, which keeps nothing in a database',
  })
  .refine(({ DATABASE_URL, DATABASE_POOLER_URL }) => DATABASE_POOLER_URL === undefined || DATABASE_URL !== undefined, {
    path: ['DATABASE_POOLER_URL'],
    message: 'is a pooler before the database at DATABASE_URL, which is not set',
  })
  .refine(({ DATABASE_URL, DATABASE_READ_URL }) => DATABASE_READ_URL === undefined || DATABASE_URL !== undefined, {
    path: ['DATABASE_READ_URL'],
    message: 'is a replica of the database at DATABASE_URL, which is not set',
  })
  .refine(({ STORE, BACKUP_VERIFY_FOLDER }) => STORE !== 'memory' || BACKUP_VERIFY_FOLDER === undefined, {
    path: ['BACKUP_VERIFY_FOLDER'],
    message: 'is of no use with STORE=memory, of which there are no backups',
  })
  .refine(({ STORE, ROLE }) => STORE !== 'memory' || ROLE === 'all', {
    path: ['ROLE'],
    message: 'has to be all with STORE=memory: other processes do not see what is in the memory of this one',
  })
  .refine(
    ({ EXPORT_TO = '', ...keys }) =>
      !EXPORT_TO.startsWith('s3://') || (keys.EXPORT_BUCKET_ACCESS_KEY_ID && keys.EXPORT_BUCKET_SECRET_ACCESS_KEY),
    {
      path: ['EXPORT_TO'],
      message: 'needs EXPORT_BUCKET_ACCESS_KEY_ID and EXPORT_BUCKET_SECRET_ACCESS_KEY for a bucket',
    },
  );

export interface Config {
  readonly host: string;
  readonly port: number;
  /** `memory`: nothing is kept, no database is run. */
  readonly store: 'postgres' | 'memory';
  /** Undefined: PostgreSQL is run as a child process, with its data under `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** A pooler in transaction mode before the same database; undefined: there is none. */
  readonly poolerUrl: string | undefined;
  /** A streaming replica for what may be read a moment late; undefined: there is none. */
  readonly replica: { readonly url: string; readonly maxStalenessMs: number } | undefined;
  readonly dataDir: string;
  readonly admin: {
    readonly email: string | undefined;
    readonly password: string | undefined;
    readonly apiKey: string | undefined;
  };
  readonly accessTokenSecret: string | undefined;
  /** Tokens signed by these are still good. */
  readonly accessTokenOldSecrets: readonly string[];
  readonly socialProviders: ConfiguredProviders;
  readonly apiKeyHeaders: readonly string[];
  /** Alias to the word of the interface. */
  readonly wordAliases: Readonly<Record<string, string>>;
  /** Whose word on the address of a client is taken: a number of hops, networks, or nobody's. */
  readonly trustedProxies: number | readonly string[] | false;
  readonly corsOrigins: readonly string[];
  /** Undefined: the organisation keeps the name it has. */
  readonly organizationName: string | undefined;
  /** Where the service is reached from outside, without a slash at the end. */
  readonly publicUrl: string | undefined;
  readonly mail: {
    /** Holds a password. Undefined: mails are kept as files under `dataDir`. */
    readonly smtpUrl: string | undefined;
    readonly from: string | undefined;
  };
  /** Module specifiers of plugins from outside the repository. */
  readonly plugins: readonly string[];
  /** Operator settings that plugins may read, by name: credentials of the service itself on a cloud. */
  readonly pluginSettings: Readonly<Record<string, string>>;
  /** Prices of models, before list prices. */
  readonly modelPricesFile: string | undefined;
  /** Encrypts the secrets of integrations. Undefined: generated and kept under `dataDir`. */
  readonly secretsKey: string | undefined;
  /** Secrets encrypted by these are still read. */
  readonly secretsOldKeys: readonly string[];
  /** Where integrations may lead though it is not public. */
  readonly allowedPrivateEndpoints: readonly string[];
  readonly role: 'all' | 'api' | 'worker';
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly maxBodyBytes: number;
  readonly maxBytesInFlight: number;
  readonly otlp: OtlpSettings & {
    /** After inflating. */
    readonly maxBodyBytes: number;
    /** Where OTLP is taken over gRPC; undefined: nowhere. */
    readonly grpcPort: number | undefined;
  };
  /** Where traces of the service's own work go; undefined: nowhere. */
  readonly selfTrace:
    | { readonly endpoint: string; readonly headers: Readonly<Record<string, string>>; readonly ratio: number }
    | undefined;
  /** How long nothing is logged to a trace before it counts as complete. */
  readonly traceIdleSeconds: number;
  /** How long nothing has to happen in a session until it is judged. */
  readonly sessionIdleSeconds: number;
  readonly judgeCallDays: number;
  /** Records that one query may look at without being told to; 0: any number. */
  readonly maxQueryRows: number;
  readonly backupVerification: {
    /** A backup or a folder of them, which this process verifies if it does work. Undefined: it verifies none. */
    readonly folder: string | undefined;
    /** Time between two verifications. */
    readonly hours: number;
  };
  /** Bytes that the files of a project may hold together. */
  readonly maxProjectFileBytes: number;
  /** Where the content of files goes, and the bucket that some of it is in; undefined where none is named. */
  readonly fileStore: {
    readonly kind: 'database' | 's3';
    readonly s3: S3Settings | undefined;
    /** Where clients reach the bucket; undefined: where the service does. */
    readonly publicEndpoint: string | undefined;
    /** How long signed addresses of content hold; 0: none are made. */
    readonly urlSeconds: number;
  };
  /** A folder or `s3://bucket/prefix`; undefined: nothing is exported. */
  readonly exportTo: string | undefined;
  readonly exportIntervalSeconds: number;
  readonly exportMergeSeconds: number;
  /** How the bucket of exports is reached. */
  readonly exportBucket: {
    /** Undefined: that of AWS in the region. */
    readonly endpoint: string | undefined;
    readonly region: string;
    readonly accessKeyId: string | undefined;
    readonly secretAccessKey: string | undefined;
    readonly sessionToken: string | undefined;
  };
}

/** Reads the configuration from an environment. Throws one Error that lists every problem. An empty variable counts as unset. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const values = parse(set);
  return {
    host: values.HOST,
    port: values.PORT,
    store: values.STORE,
    databaseUrl: values.DATABASE_URL,
    poolerUrl: values.DATABASE_POOLER_URL,
    replica: values.DATABASE_READ_URL
      ? { url: values.DATABASE_READ_URL, maxStalenessMs: values.DATABASE_READ_MAX_STALENESS_SECONDS * 1000 }
      : undefined,
    dataDir: resolve(values.DATA_DIR),
    admin: { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD, apiKey: values.ADMIN_API_KEY },
    accessTokenSecret: values.ACCESS_TOKEN_SECRET,
    accessTokenOldSecrets: values.ACCESS_TOKEN_OLD_SECRETS,
    socialProviders: values.SOCIAL_PROVIDERS,
    apiKeyHeaders: values.API_KEY_HEADERS,
    wordAliases: values.WORD_ALIASES,
    trustedProxies: values.TRUSTED_PROXIES ?? false,
    corsOrigins: values.CORS_ORIGINS,
    organizationName: values.ORGANIZATION_NAME,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    mail: { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM },
    plugins: values.PLUGINS,
    pluginSettings: values.PLUGIN_SETTINGS,
    modelPricesFile: values.MODEL_PRICES_FILE,
    secretsKey: values.SECRETS_KEY,
    secretsOldKeys: values.SECRETS_OLD_KEYS,
    allowedPrivateEndpoints: values.ALLOWED_PRIVATE_ENDPOINTS,
    role: values.ROLE,
    logLevel: values.LOG_LEVEL,
    maxBodyBytes: values.MAX_BODY_BYTES,
    maxBytesInFlight: values.MAX_BYTES_IN_FLIGHT,
    otlp: {
      maxBodyBytes: values.OTLP_MAX_BODY_BYTES,
      grpcPort: values.OTLP_GRPC_PORT,
      create_projects: values.OTLP_CREATE_PROJECTS,
      own_prefixes: values.OTLP_ATTRIBUTE_PREFIXES,
    },
    selfTrace: values.SELF_TRACE_ENDPOINT
      ? { endpoint: values.SELF_TRACE_ENDPOINT, headers: values.SELF_TRACE_HEADERS, ratio: values.SELF_TRACE_RATIO }
      : undefined,
    traceIdleSeconds: values.TRACE_IDLE_SECONDS,
    sessionIdleSeconds: values.SESSION_IDLE_SECONDS,
    judgeCallDays: values.JUDGE_CALL_DAYS,
    maxQueryRows: values.QUERY_MAX_ROWS,
    backupVerification: {
      folder: values.BACKUP_VERIFY_FOLDER && resolve(values.BACKUP_VERIFY_FOLDER),
      hours: values.BACKUP_VERIFY_HOURS,
    },
    maxProjectFileBytes: values.MAX_PROJECT_FILE_BYTES,
    fileStore: {
      kind: values.FILE_STORE,
      s3: toS3Settings(values),
      publicEndpoint: values.FILE_BUCKET_PUBLIC_ENDPOINT,
      urlSeconds: values.FILE_URL_SECONDS,
    },
    exportTo: values.EXPORT_TO,
    exportIntervalSeconds: values.EXPORT_INTERVAL_SECONDS,
    exportMergeSeconds: values.EXPORT_MERGE_AFTER_SECONDS,
    exportBucket: {
      endpoint: values.EXPORT_BUCKET_ENDPOINT,
      region: values.EXPORT_BUCKET_REGION,
      accessKeyId: values.EXPORT_BUCKET_ACCESS_KEY_ID,
      secretAccessKey: values.EXPORT_BUCKET_SECRET_ACCESS_KEY,
      sessionToken: values.EXPORT_BUCKET_SESSION_TOKEN,
    },
  };
}

function toS3Settings(values: z.output<typeof Env>): S3Settings | undefined {
  const { FILE_BUCKET: bucket, FILE_BUCKET_REGION: region, FILE_BUCKET_PREFIX: prefix } = values;
  const { FILE_BUCKET_ACCESS_KEY_ID: accessKeyId, FILE_BUCKET_SECRET_ACCESS_KEY: secretAccessKey } = values;
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  const endpoint = values.FILE_BUCKET_ENDPOINT ?? `https://s3.${region}.amazonaws.com`;
  return { bucket, region, endpoint, prefix, accessKeyId, secretAccessKey };
}

function parse(set: Readonly<Record<string, string | undefined>>): z.output<typeof Checked> {
  const parsed = Checked.safeParse(set);
  const problems = [...renamedProblems(set), ...(parsed.error ? [z.prettifyError(parsed.error)] : [])];
  if (!parsed.success || problems.length > 0) throw new Error(`the configuration is not valid:\n${problems.join('\n')}`);
  return parsed.data;
}

/** As `readConfig`, for commands about what a service has kept. Throws an Error for one that keeps nothing. */
export function readStoredConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const config = readConfig(env);
  if (config.store === 'memory')
    throw new Error('STORE=memory keeps nothing that a command could work on; this needs a service on PostgreSQL');
  return config;
}
