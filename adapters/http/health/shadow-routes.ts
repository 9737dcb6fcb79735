import { z } from 'zod';
import { ShadowReport } from '../../../core/health/shadow-report.ts';
import type { ShadowService } from '../../../core/health/shadow-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import { NewShadowTrial, ShadowTrial } from '../../../core/scorers/shadow/shadow-trial.ts';
import { type Route, route } from '../route.ts';

const TrialPath = z.object({ project_id: Id, run_id: Id, scorer_id: Id });
const ReportedTrial = ShadowTrial.extend({ report: ShadowReport }).meta({ id: 'ReportedShadowTrial' });
const path = '/v2/projects/{project_id}/runs/{run_id}/shadow-trials/{scorer_id}';

export const shadowRoutes = ({ shadowService }: { shadowService: ShadowService }): Route[] => [
  route({
    method: 'put',
    path,
    operationId: 'startShadowTrial',
    summary: 'Have a version of a scorer score a share of live traffic beside the one in use, where it does not count.',
    tag: 'scorers',
    params: TrialPath,
    body: NewShadowTrial,
    response: ShadowTrial,
    handle: ({ caller, params: { project_id, run_id, scorer_id }, body }) =>
      shadowService.start(caller, project_id, run_id, scorer_id, body),
  }),
  route({
    method: 'get',
    path,
    operationId: 'getShadowTrial',
    summary: 'How the version on trial drifts from the one in use.',
    tag: 'scorers',
    params: TrialPath,
    response: ReportedTrial,
    handle: ({ caller, params: { project_id, run_id, scorer_id } }) =>
      shadowService.report(caller, project_id, run_id, scorer_id),
  }),
  route({
    method: 'delete',
    path,
    operationId: 'stopShadowTrial',
    summary: 'End a trial, and forget what the candidate said.',
    tag: 'scorers',
    params: TrialPath,
    response: z.object({ message: z.string() }),
    handle: ({ caller, params: { project_id, run_id, scorer_id } }) => shadowService.stop(caller, project_id, run_id, scorer_id),
  }),
];
