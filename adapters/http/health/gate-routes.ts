import { z } from 'zod';
import type { GateService } from '../../../core/health/gate-service.ts';
import { GateVerdict } from '../../../core/health/gate-verdict.ts';
import { GateCheck, NewScorerGate, ScorerGate } from '../../../core/health/scorer-gate.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';

const ScorerPath = z.object({ scorer_id: Id });

export const gateRoutes = ({ gateService }: { gateService: GateService }): Route[] => [
  route({
    method: 'put',
    path: '/v2/scorers/{scorer_id}/gate',
    operationId: 'setScorerGate',
    summary: 'Let versions become the default only when their health on a dataset is not below that of the default version.',
    tag: 'scorers',
    params: ScorerPath,
    body: NewScorerGate,
    response: ScorerGate,
    handle: ({ caller, params, body }) => gateService.set(caller, params.scorer_id, body),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/gate',
    operationId: 'getScorerGate',
    summary: 'What versions have to reach before they may become the default.',
    tag: 'scorers',
    params: ScorerPath,
    response: ScorerGate,
    handle: ({ caller, params }) => gateService.get(caller, params.scorer_id),
  }),
  route({
    method: 'delete',
    path: '/v2/scorers/{scorer_id}/gate',
    operationId: 'removeScorerGate',
    summary: 'Let any version become the default.',
    tag: 'scorers',
    params: ScorerPath,
    response: z.object({ message: z.string() }),
    handle: ({ caller, params }) => gateService.remove(caller, params.scorer_id),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/{scorer_id}/gate/check',
    operationId: 'checkScorerGate',
    summary: 'Whether a version would pass the gate of its scorer, or one on the terms given.',
    tag: 'scorers',
    params: ScorerPath,
    bodyOptional: true,
    body: GateCheck,
    response: GateVerdict,
    handle: ({ caller, params, body }) => gateService.check(caller, params.scorer_id, body),
  }),
];
