import type { Response } from 'express';
import { AppError } from '../../../core/kernel/errors.ts';
import { IdempotencyKey, MAX_KEY_CHARS } from '../../../core/traces/batches/ingest-batch.ts';
import type { IngestBatchService } from '../../../core/traces/batches/ingest-batch-service.ts';
import type { WriteIdentity } from '../../../core/traces/batches/write-identity.ts';
import type { RouteInput } from '../route.ts';

/** Of an operation that is carried out once for each key, for the document. */
export const ONCE = {
  requestHeaders: {
    'Idempotency-Key': `A name for this request, 1 to ${MAX_KEY_CHARS} visible ASCII characters. Sent again within a day with the same body, it is carried out once: the reply is the first one.`,
  },
  replyHeaders: { 'Idempotency-Replayed': '`true` when the reply is that of an earlier request with this key.' },
  errors: [409],
} as const;

type KeyedInput = Pick<RouteInput, 'caller' | 'body' | 'headers'> & {
  readonly params: { readonly project_id: string };
  readonly res: Response;
};

/** Carries the request out once where it has an `Idempotency-Key`, and as it is where it has none. */
export async function carriedOutOnce<Reply extends Readonly<Record<string, unknown>>>(
  ingestBatchService: IngestBatchService,
  operation: string,
  { caller, params: { project_id }, body, headers, res }: KeyedInput,
  work: (identity?: WriteIdentity) => Promise<Reply>,
): Promise<Reply> {
  const key = parseKey(headers['idempotency-key']);
  if (key === undefined) return work();
  const { reply, is_replayed } = await ingestBatchService.once(caller, { project_id, key, operation, body }, work);
  if (is_replayed) res.setHeader('Idempotency-Replayed', 'true');
  return reply;
}

/** With or without the quotes that the header field has as a structured one (RFC 8941). */
function parseKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const given = String(header).trim();
  const key = IdempotencyKey.safeParse(/^"(.*)"$/.exec(given)?.[1] ?? given);
  if (key.success) return key.data;
  const msg = `the key is not of 1 to ${MAX_KEY_CHARS} visible ASCII characters`;
  throw new AppError('invalid', 'request_invalid', 'the request is not valid', {
    issues: [{ loc: ['header', 'Idempotency-Key'], msg, type: 'invalid_format' }],
  });
}
