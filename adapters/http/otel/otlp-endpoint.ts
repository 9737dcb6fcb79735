import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { Caller } from '../../../core/access/caller.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { stackOf } from '../../../core/kernel/failure.ts';
import type { Log } from '../../../core/kernel/ports.ts';
import {
  getOtlpEncoding,
  OTLP_MEDIA_TYPES,
  type OtlpCodec,
  type OtlpEncoding,
  type OtlpSignal,
} from '../../../core/otel/otlp-codec.ts';
import { toOtlpFailure } from '../../../core/otel/otlp-failure.ts';
import type { OtlpService } from '../../../core/otel/otlp-service.ts';
import type { BodyReader } from '../body/body-reader.ts';
import { challenge } from '../error-reply.ts';
import { admitted, senderOf } from '../mount.ts';
import { OTLP_PATHS, OTLP_PATHS_BY_SIGNAL } from './otlp-openapi.ts';

export interface OtlpEndpoint {
  readonly service: OtlpService;
  readonly codec: OtlpCodec;
  /** After inflating. */
  readonly maxBodyBytes: number;
}

export interface OtlpEndpointDeps {
  readonly authenticate: RequestHandler;
  readonly gate: BodyReader;
  readonly log: Log;
  explainFailure?: ((error: unknown) => AppError | undefined) | undefined;
}

const GRPC_UNIMPLEMENTED = 12;
const RETRY_SECONDS = '1';

/** Takes traces, log records and metrics by OTLP over HTTP. What goes wrong is told in the form and the encoding of that protocol. */
export function otlpEndpoint({ service, codec, maxBodyBytes }: OtlpEndpoint, around: OtlpEndpointDeps): Router {
  const router = Router();
  const receive = (signal: OtlpSignal) => async (req: Request, res: Response) => {
    const encoding = getOtlpEncoding(req.headers['content-type']);
    if (!encoding) throw unsupported('content_type_unsupported', `the body has to be ${mediaTypes.join(' or ')}`);
    if (!isTakenCoding(req.headers['content-encoding']))
      throw unsupported('content_encoding_unknown', 'Content-Encoding is none of gzip, deflate, zstd');
    const { body, release } = await around.gate.read(req, maxBodyBytes, senderOf(req, res));
    try {
      const delivery = { headers: req.headers, encoding, body };
      const caller = res.locals.caller as Caller;
      const outcome = await service.receiveSignal(signal, caller, delivery);
      res.status(200).setHeader('Content-Type', OTLP_MEDIA_TYPES[encoding]);
      res.end(codec.encodeOutcome(outcome, encoding, signal));
    } finally {
      release();
    }
  };
  for (const [signal, paths] of Object.entries(OTLP_PATHS_BY_SIGNAL))
    router.post([...paths], admitted(around.gate), around.authenticate, receive(signal as OtlpSignal));
  router.all([...OTLP_PATHS], around.authenticate, (req, res) => {
    const encoding = getOtlpEncoding(req.headers['content-type']) ?? 'json';
    res.status(405).setHeader('Allow', 'POST').setHeader('Content-Type', OTLP_MEDIA_TYPES[encoding]);
    res.end(codec.encodeStatus({ code: GRPC_UNIMPLEMENTED, message: 'method not allowed' }, encoding));
  });
  router.use(failureReply(codec, around));
  return router;
}

/** Where the encoding is not known, JSON. */
function failureReply(codec: OtlpCodec, { log, explainFailure }: OtlpEndpointDeps): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const known = error instanceof AppError ? error : explainFailure?.(error);
    const { http, code } = toOtlpFailure(known ?? error);
    if (!known) log.error('request failed', { request_id: res.locals.requestId, path: req.path, error: stackOf(error) });
    if (res.headersSent) return void res.destroy();
    const seconds = known?.retryAfterSeconds?.toString() ?? (http === 503 || http === 429 ? RETRY_SECONDS : undefined);
    if (seconds !== undefined) res.setHeader('Retry-After', seconds);
    if (http === 401) challenge(res);
    if (http === 408) res.setHeader('Connection', 'close');
    const encoding: OtlpEncoding = getOtlpEncoding(req.headers['content-type']) ?? 'json';
    res.status(http).setHeader('Content-Type', OTLP_MEDIA_TYPES[encoding]);
    res.end(codec.encodeStatus({ code, message: known?.message ?? 'internal error' }, encoding));
  };
}

const mediaTypes = Object.values(OTLP_MEDIA_TYPES);

const isTakenCoding = (coding: string | undefined): boolean =>
  ['', 'identity', 'gzip', 'x-gzip', 'deflate', 'zstd'].includes((coding ?? '').trim().toLowerCase());

const unsupported = (code: string, message: string): AppError => new AppError('unsupported_media', code, message);
