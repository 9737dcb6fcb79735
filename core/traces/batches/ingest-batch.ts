import { z } from 'zod';

/** How long the ledger knows a batch, in milliseconds. */
export const BATCH_KEPT_MS = 86_400_000;

export const MAX_KEY_CHARS = 255;
/** Name that a sender gives to a request, so that it is carried out once: visible ASCII. */
export const IdempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, `1 to ${MAX_KEY_CHARS} visible ASCII characters`);

/** A request that came with an `Idempotency-Key`, as the ledger shows it. */
export const IngestBatch = z
  .object({
    project_id: z.string(),
    key: z.string(),
    /** `pending`: being written, or its outcome is unknown; sending it again is safe. `stored`: all of it is durable. */
    status: z.enum(['pending', 'stored']),
    received_at: z.string(),
    stored_at: z.string().nullable(),
    /** The reply to the request; null while it is pending. */
    reply: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'IngestBatch' });
export type IngestBatch = z.output<typeof IngestBatch>;
