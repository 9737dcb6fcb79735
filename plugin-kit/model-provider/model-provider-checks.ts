import type { z } from '../../core/plugin-sdk/index.ts';
import type { CheckList } from '../check.ts';
import { folderChecks } from '../folder-checks.ts';
import { headCheck, sameHeadCheck } from '../head-check.ts';
import { settingsChecks } from '../settings-checks.ts';
import { abortChecks } from './abort-checks.ts';
import { failureChecks } from './failure-checks.ts';
import { inProcessChecks } from './in-process-checks.ts';
import { priceChecks } from './price-checks.ts';
import type { ModelProviderCase } from './provider-case.ts';
import { replyChecks } from './reply-checks.ts';
import { requestChecks } from './request-checks.ts';
import { stateChecks } from './state-checks.ts';
import { streamChecks } from './stream-checks.ts';
import { openTestProvider } from './test-provider.ts';
import { toolChecks } from './tool-checks.ts';

/** Checks of every model-provider plugin. */
export function modelProviderChecks<S extends z.ZodType>(given: ModelProviderCase<S>): CheckList {
  const testProvider = openTestProvider(given);
  const { open, reset, close } = testProvider;
  const overHttp = () => [
    ...stateChecks(given, testProvider),
    ...requestChecks(given, testProvider),
    ...replyChecks(given, testProvider),
    ...toolChecks(testProvider),
    ...streamChecks(given, testProvider),
    ...failureChecks(testProvider),
    ...abortChecks(testProvider),
  ];
  const checks = [
    headCheck(given.plugin),
    sameHeadCheck(given.plugin, given.settings),
    ...settingsChecks(given, testProvider),
    ...(given.inProcess ? inProcessChecks(given, testProvider) : overHttp()),
    ...priceChecks(given, testProvider),
    ...folderChecks(given.folder, given.plugin.settings),
  ];
  return { title: `model provider ${given.plugin.id}`, checks, open, reset, close };
}
