/** The only door of the kit: everything that tests of plugins outside of the repository may import. */

export {
  type NotificationChannelCase,
  notificationChannelChecks,
  SAMPLE as SAMPLE_NOTIFICATION,
} from './channels/notification-channel-checks.ts';
export type { Check, CheckList } from './check.ts';
export { type CodeAttempts, type CodeLanguageCase, codeLanguageChecks } from './code-language/language-checks.ts';
export {
  type ExpectedSpan,
  type OtelDialectCase,
  otelDialectChecks,
  type SampleSpan,
} from './dialects/otel-dialect-checks.ts';
export { FakeModel, type FakeReply } from './fake-model.ts';
export {
  type BadCredential,
  type Credentials,
  type IdentityProviderCase,
  identityProviderChecks,
  SAMPLE_SIGN_IN,
} from './identity-provider/identity-checks.ts';
export { modelProviderChecks } from './model-provider/model-provider-checks.ts';
export type { Captured, Lack, ModelProviderCase } from './model-provider/provider-case.ts';
export { type CheckResult, runChecks } from './run-checks.ts';
export { type ScorerKindCase, scorerKindChecks } from './scorer-kind/scorer-kind-checks.ts';
export { type TestRunner, testPlugin } from './test-plugin.ts';
