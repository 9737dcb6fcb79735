import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locate } from '../config/plugin-address.ts';
import { pluginsIn } from '../config/plugin-modules.ts';
import type { Plugin, PluginKind } from '../core/kernel/plugin-kinds.ts';
import { z } from '../core/plugin-sdk/index.ts';
import { type NotificationChannelCase, notificationChannelChecks } from './channels/notification-channel-checks.ts';
import type { CheckList } from './check.ts';
import { type CodeLanguageCase, codeLanguageChecks } from './code-language/language-checks.ts';
import { type OtelDialectCase, otelDialectChecks } from './dialects/otel-dialect-checks.ts';
import { type IdentityProviderCase, identityProviderChecks } from './identity-provider/identity-checks.ts';
import { modelProviderChecks } from './model-provider/model-provider-checks.ts';
import type { ModelProviderCase } from './model-provider/provider-case.ts';
import { type ScorerKindCase, scorerKindChecks } from './scorer-kind/scorer-kind-checks.ts';

const KIT_FILES = ['kit.js', 'kit.mjs', 'kit.ts'];
const some = z.custom((value) => value !== undefined, 'is missing');

/** The fields without which there is nothing to try; what stands in them is for the checks to find out. */
const ProviderCase = z.looseObject({
  settings: some,
  folder: z.string('is not a string'),
  model: z.string('is not a string'),
  expected: some,
  expectedValue: some,
  offered: z.array(z.unknown(), 'is not a list'),
});
const KindCase = z.looseObject({
  definition: some,
  records: z.array(z.union([z.string(), z.looseObject({ record: z.string() })]), 'is not a list of strings'),
  expected: z.array(z.unknown(), 'is not a list'),
});
const ChannelCase = z.looseObject({ settings: some, folder: z.string('is not a string'), expected: some });
const LanguageCase = z.looseObject({
  folder: z.string('is not a string'),
  source: z.string('is not a string'),
  records: z.array(z.unknown(), 'is not a list'),
  expected: z.array(z.unknown(), 'is not a list'),
  broken: z.looseObject({ source: z.string('is not a string'), line: z.int() }),
  attempts: z.looseObject({}, 'is missing'),
});

const IdentityCase = z.looseObject({
  settings: some,
  otherSettings: some,
  folder: z.string('is not a string'),
  credentials: z.custom((value) => typeof value === 'function', 'is not a function'),
  upstream: z.custom((value) => typeof value === 'function', 'is not a function'),
  expected: some,
});

const DialectCase = z.looseObject({
  folder: z.string('is not a string'),
  spans: z.array(z.looseObject({ expected: some }), 'is not a list of spans'),
});

interface Kit {
  readonly fields: z.ZodType;
  readonly checks: (given: unknown) => CheckList;
}

/** How plugins of each kind are tried. */
const KITS: Readonly<Record<PluginKind, Kit>> = {
  model_provider: { fields: ProviderCase, checks: (given) => modelProviderChecks(given as ModelProviderCase<z.ZodType>) },
  notification_channel: {
    fields: ChannelCase,
    checks: (given) => notificationChannelChecks(given as NotificationChannelCase<z.ZodType>),
  },
  otel_dialect: { fields: DialectCase, checks: (given) => otelDialectChecks(given as OtelDialectCase) },
  code_language: { fields: LanguageCase, checks: (given) => codeLanguageChecks(given as CodeLanguageCase) },
  identity_provider: {
    fields: IdentityCase,
    checks: (given) => identityProviderChecks(given as IdentityProviderCase<z.ZodType>),
  },
  scorer_kind: { fields: KindCase, checks: (given) => scorerKindChecks(given as ScorerKindCase<z.ZodType>) },
};

/**
 * The checks of every plugin that a module exports, made of the cases that the kit file beside the module exports. Rejects when the
 * module cannot be loaded, as `pluginsIn`, or has no kit file, or that has no whole case for one of the plugins.
 */
export async function getChecks(specifier: string): Promise<CheckList[]> {
  const plugins = await pluginsIn(specifier);
  const folder = dirname(fileURLToPath(locate(specifier)));
  const path = [folder, dirname(folder)].flatMap((place) => KIT_FILES.map((name) => join(place, name))).find(existsSync);
  if (path === undefined) throw new Error(`${folder} has no kit.js, which says how its plugins are tried`);
  const cases = Object.values(Object(await import(path)));
  return plugins.map((plugin) => {
    const given = cases.find((one) => Object(one).plugin === plugin);
    if (!given) throw new Error(`${path} exports no case for "${plugin.id}"`);
    return checksFor(plugin, given, path);
  });
}

function checksFor({ kind, id }: Plugin, given: unknown, path: string): CheckList {
  const { fields, checks } = KITS[kind];
  const missing = fields.safeParse(given).error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  if (missing !== undefined) throw new Error(`${path}, the case for "${id}": ${missing.join(', ')}`);
  return checks(given);
}
