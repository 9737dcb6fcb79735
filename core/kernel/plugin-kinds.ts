import type {
  CodeLanguagePlugin,
  IdentityProviderPlugin,
  ModelProviderPlugin,
  NotificationChannelPlugin,
  OtelDialectPlugin,
  ScorerKindPlugin,
} from '../plugin-sdk/index.ts';

/** Every kind of plugin. Whatever has to know all kinds is a table that the compiler holds against this one. */
export interface PluginKinds {
  readonly model_provider: ModelProviderPlugin;
  readonly scorer_kind: ScorerKindPlugin;
  readonly notification_channel: NotificationChannelPlugin;
  readonly otel_dialect: OtelDialectPlugin;
  readonly code_language: CodeLanguagePlugin;
  readonly identity_provider: IdentityProviderPlugin;
}

export type PluginKind = keyof PluginKinds;
export type Plugin = PluginKinds[PluginKind];
