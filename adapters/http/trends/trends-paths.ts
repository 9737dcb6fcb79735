import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';

/** Everything about the trends of a log stream lies below this path. */
export const TRENDS = '/v2/projects/{project_id}/log_streams/{log_stream_id}/trends';
export const LogStreamPath = z.object({ project_id: Id, log_stream_id: Id });
