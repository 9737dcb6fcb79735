import type { z } from '../core/plugin-sdk/index.ts';
import { abortChecks } from './abort-checks.ts';
import type { CheckList } from './check.ts';
import { failureChecks } from './failure-checks.ts';
import { folderChecks } from './folder-checks.ts';
import { headCheck, sameHeadCheck } from './head-check.ts';
import { inProcessChecks } from './in-process-checks.ts';
import type { ModelProviderCase } from './provider-case.ts';
import { stageOf } from './provider-stage.ts';
import { replyChecks } from './reply-checks.ts';
import { requestChecks } from './request-checks.ts';
import { settingsChecks } from './settings-checks.ts';
import { stateChecks } from './state-checks.ts';

/** What every model-provider plugin has to hold. */
export function modelProviderChecks<S extends z.ZodType>(given: ModelProviderCase<S>): CheckList {
  const stage = stageOf(given);
  const { open, reset, close } = stage;
  const overHttp = () => [
    ...stateChecks(given, stage),
    ...requestChecks(given, stage),
    ...replyChecks(given, stage),
    ...failureChecks(stage),
    ...abortChecks(stage),
  ];
  const checks = [
    headCheck(given.plugin),
    sameHeadCheck(given.plugin, given.settings),
    ...settingsChecks(given, stage),
    ...(given.inProcess ? inProcessChecks(given, stage) : overHttp()),
    ...folderChecks(given.folder, given.plugin.settings),
  ];
  return { title: `model provider ${given.plugin.id}`, checks, open, reset, close };
}
