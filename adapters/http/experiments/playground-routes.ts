import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { PlaygroundCall, PlaygroundReply } from '../../../core/experiments/playground-call.ts';
import type { PlaygroundService } from '../../../core/experiments/playground-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import { toEventStream } from '../event-stream.ts';
import { fileRoute, type Route, route } from '../route.ts';

/** Names of the events and their data, as the document tells them. */
const EVENTS = {
  start: 'First of all: {"variants": number of variants}.',
  delta: 'A piece of the text of a variant: {"variant": index from 0, "text"}. The pieces of a variant are its output.',
  result: 'A variant is done: its fields as in the reply of callPlayground, and "variant".',
  error: 'A variant failed: the same, with "error". Pieces of text that came before stay what the model wrote.',
  interrupted: 'The service is being stopped: {"message"}. Variants without a result have none.',
  end: 'Last of all: {}. Comments come every 15 seconds while there is no event.',
} as const;

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
    handle: ({ caller, params, body, res }) => playgroundService.call(caller, params.project_id, body, leavingOf(res)),
  }),
  fileRoute({
    method: 'post',
    path: '/v2/projects/{project_id}/playground/stream',
    operationId: 'streamPlayground',
    summary:
      'The same, followed while it goes on, as server-sent events: `delta` for each piece of text, then `result` or `error` of each variant.',
    tag: 'experiments',
    params: z.object({ project_id: Id }),
    body: PlaygroundCall,
    streams: ['text/event-stream'],
    extensions: { 'x-events': EVENTS },
    handle: async ({ caller, params, body, res }) => {
      const events = await playgroundService.follow(caller, params.project_id, body, leavingOf(res));
      // Proxies that gather a reply before they pass it on leave this one alone.
      res.setHeader('X-Accel-Buffering', 'no');
      return { content_type: 'text/event-stream; charset=utf-8', chunks: toEventStream(events) };
    },
  }),
];

/** Who went away pays for no further attempt. */
function leavingOf(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}
