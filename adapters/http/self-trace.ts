import type { RequestHandler } from 'express';
import { AppError } from '../../core/kernel/errors.ts';
import { SELF_TRACE_HEADER, type SelfTracer } from '../../core/kernel/self-tracer.ts';

/** A span for each request, by its route, never by its path, which holds ids. */
export function traceRequests(tracer: SelfTracer): RequestHandler {
  return (req, res, next) => {
    const span = tracer.beginRequest(req.get('traceparent'));
    res.once('close', () => {
      const pattern = (req.route as { path?: string | string[] } | undefined)?.path;
      const route = (Array.isArray(pattern) ? pattern[0] : pattern) ?? 'unmatched';
      const facts = { 'http.request.method': req.method, 'http.route': route, request_id: String(res.locals.requestId) };
      span.end(`${req.method} ${route}`, res.statusCode, facts);
    });
    span.run(next);
  };
}

/** Refuses the service's own spans, whichever instance of it sends them: to store them would be work to trace, without an end. */
export function refuseOwnSpans(installation: () => Promise<string>): RequestHandler {
  return async (req, _res, next) => {
    const from = req.get(SELF_TRACE_HEADER);
    if (from !== undefined && from === (await installation()))
      throw new AppError('bad_request', 'self_trace_loop', 'the service does not take the traces of its own work');
    next();
  };
}
