import { z } from 'zod';
import { PlaygroundCall, PlaygroundReply, type PlaygroundService } from '../../../core/experiments/playground-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';

export const playgroundRoutes = ({ playgroundService }: { playgroundService: PlaygroundService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/playground',
    operationId: 'callPlayground',
    summary: 'Try variants of a prompt with the same values side by side; nothing is logged, the calls are counted as spending.',
    tag: 'experiments',
    params: z.object({ project_id: Id }),
    body: PlaygroundCall,
    response: PlaygroundReply,
    handle: ({ caller, params, body, res }) => {
      // Who went away pays for no further attempt.
      const gone = new AbortController();
      res.once('close', () => gone.abort());
      return playgroundService.call(caller, params.project_id, body, gone.signal);
    },
  }),
];
