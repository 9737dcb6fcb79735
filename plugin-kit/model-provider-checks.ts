import type { z } from '../core/plugin-sdk/index.ts';
import { abortChecks } from './abort-checks.ts';
import type { CheckList } from './check.ts';
import { failureChecks } from './failure-checks.ts';
import { folderChecks } from './folder-checks.ts';
import { headCheck } from './head-check.ts';
import { type ModelProviderCase, stageOf } from './provider-stage.ts';
import { replyChecks } from './reply-checks.ts';
import { settingsChecks } from './settings-checks.ts';

/** What every model-provider plugin has to hold. */
export function modelProviderChecks<S extends z.ZodType>(given: ModelProviderCase<S>): CheckList {
  const stage = stageOf(given);
  const { open, reset, close } = stage;
  const checks = [
    headCheck(given.plugin),
    ...settingsChecks(given, stage),
    ...replyChecks(given, stage),
    ...failureChecks(stage),
    ...abortChecks(stage),
    ...folderChecks(given.folder, given.plugin.settings),
  ];
  return { title: `model provider ${given.plugin.id}`, checks, open, reset, close };
}
