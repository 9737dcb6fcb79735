import { asPluginError, toRefusal, UnpricedModelError, wordsFor } from '../integrations/provider-failure.ts';
import type { JobRecord } from '../jobs/job.ts';
import { AppError } from '../kernel/errors.ts';
import { Deferred } from '../kernel/work-queue.ts';
import { openForJob } from '../models/job-model.ts';
import type { ModelGateway, OpenModel } from '../models/model-gateway.ts';
import type { PluginError } from '../plugin-sdk/index.ts';

/**
 * The model that a prompt is run with, by the integrations of whoever runs it. Rejects with AppError `bad_request` when none offers it,
 * `unavailable` when that may pass, and as `openForJob` does.
 */
export async function openModel(modelGateway: Pick<ModelGateway, 'session'>, job: JobRecord, alias: string): Promise<OpenModel> {
  const { project_id, run_id, created_by: user_id } = job;
  const usage = { purpose: 'experiment', user_id, project_id, run_id, scorer_id: null, scorer_version_id: null } as const;
  return openForJob(modelGateway, { usage, alias, job }).catch((error: unknown) => {
    throw error instanceof Deferred ? error : notOffered(asPluginError(error));
  });
}

function notOffered(failure: PluginError): AppError {
  if (failure.retryable) return new AppError('unavailable', 'model_unavailable', wordsFor(failure), { cause: failure });
  if (failure instanceof UnpricedModelError) return toRefusal(failure);
  const words = failure.failure === 'unsupported' ? failure.message : wordsFor(failure);
  return new AppError('bad_request', 'model_not_offered', words, { cause: failure });
}
