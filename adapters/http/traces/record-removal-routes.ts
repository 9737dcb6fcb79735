import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { RecordCount } from '../../../core/traces/record-query.ts';
import type { RecordRemovalService } from '../../../core/traces/retention/record-removal-service.ts';
import { type Route, route } from '../route.ts';

const MAX_BYTES = 1024 * 1024;

export const RemovalReply = z
  .object({ message: z.string(), traces: z.int(), spans: z.int(), sessions: z.int() })
  .meta({ id: 'RemovalReply' });

export const recordRemovalRoutes = ({ recordRemovalService }: { recordRemovalService: RecordRemovalService }): Route[] =>
  (['trace', 'span'] as const).map((level) =>
    route({
      method: 'post',
      path: `/v2/projects/{project_id}/${level}s/delete`,
      operationId: level === 'trace' ? 'deleteTraces' : 'deleteSpans',
      summary: `Delete the ${level}s that match, with all below them and their scores; all of the run without filters.`,
      tag: 'traces',
      params: z.object({ project_id: Id }),
      maxBodyBytes: MAX_BYTES,
      body: RecordCount,
      response: RemovalReply,
      handle: ({ caller, params, body }) => recordRemovalService.remove(caller, params.project_id, level, body),
    }),
  );
