import { z } from 'zod';
import { AuditEntry } from '../../../core/access/audit/audit.ts';
import type { AuditService } from '../../../core/access/audit/audit-service.ts';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { cleanText, Id } from '../../../core/kernel/text.ts';
import { Timestamp } from '../../../core/kernel/timestamp.ts';
import { type Route, route } from '../route.ts';

const AuditLogQuery = PageQuery.extend({
  actor_id: Id.optional(),
  action: cleanText(1, 100).optional(),
  object_kind: cleanText(1, 100).optional(),
  object_id: Id.optional(),
  from: Timestamp.optional(),
  to: Timestamp.optional(),
});
const AuditPage = z.object({ ...PageFields, entries: z.array(AuditEntry) }).meta({ id: 'AuditPage' });
const ChainReport = z
  .object({
    entries: z.int(),
    /** Hash of the last line. */
    head: z.string(),
    /** Number of the first line that does not follow on the one before it. */
    broken_at: z.int().nullable(),
  })
  .meta({ id: 'AuditChainReport' });

export const auditRoutes = ({ auditService }: { auditService: AuditService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/audit_log',
    operationId: 'listAuditLog',
    summary: 'Who did what, newest first; `from` is included, `to` is not. Owners name their object, administrators need not.',
    tag: 'access',
    query: AuditLogQuery,
    response: AuditPage,
    handle: ({ caller, query: { starting_token, limit, ...asked } }) =>
      auditService.list(caller, asked, { starting_token, limit }),
  }),
  route({
    method: 'get',
    path: '/v2/audit_log/check',
    operationId: 'checkAuditLog',
    summary: 'Whether the lines of the audit log still follow on each other.',
    tag: 'access',
    response: ChainReport,
    handle: ({ caller }) => auditService.check(caller),
  }),
];
