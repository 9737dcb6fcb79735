import { z } from 'zod';
import { JudgeAudit, JudgeAuditRequest, JudgeAuditStarted } from '../../../core/health/bias/judge-audit.ts';
import type { JudgeAuditService } from '../../../core/health/bias/judge-audit-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import { VersionNumber } from '../../../core/scorers/versions/version-requests.ts';
import { type Route, route } from '../route.ts';

const ScorerPath = z.object({ scorer_id: Id });
const AuditPath = ScorerPath.extend({ audit_id: Id });

export const judgeAuditRoutes = ({ judgeAuditService }: { judgeAuditService: JudgeAuditService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/scorers/{scorer_id}/audits',
    operationId: 'startJudgeAudit',
    summary: 'Test the judge of a version for bias, or say what that would ask and cost.',
    tag: 'scorers',
    params: ScorerPath,
    bodyOptional: true,
    body: JudgeAuditRequest,
    response: JudgeAuditStarted,
    errors: [404, 409],
    handle: ({ caller, params, body }) => judgeAuditService.start(caller, params.scorer_id, body),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/audits',
    operationId: 'listJudgeAudits',
    summary: 'The last audits of the versions of a scorer, newest first.',
    tag: 'scorers',
    params: ScorerPath,
    query: z.object({ version: VersionNumber.optional() }),
    response: z.object({ audits: z.array(JudgeAudit) }),
    handle: async ({ caller, params, query }) => ({
      audits: await judgeAuditService.list(caller, params.scorer_id, query.version),
    }),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/audits/{audit_id}',
    operationId: 'getJudgeAudit',
    summary: 'How far an audit is, and what it found.',
    tag: 'scorers',
    params: AuditPath,
    response: JudgeAudit,
    handle: ({ caller, params }) => judgeAuditService.get(caller, params.scorer_id, params.audit_id),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/{scorer_id}/audits/{audit_id}/cancel',
    operationId: 'cancelJudgeAudit',
    summary: 'End an audit that is running.',
    tag: 'scorers',
    params: AuditPath,
    bodyOptional: true,
    body: z.looseObject({}),
    response: JudgeAudit,
    handle: ({ caller, params }) => judgeAuditService.cancel(caller, params.scorer_id, params.audit_id),
  }),
];
