import { z } from 'zod';

/** Audited action on an object, with facts that are no secrets. */
export interface AuditEvent {
  /** `<object>.<verb>`, as `project.delete`. */
  readonly action: string;
  readonly object_kind: string;
  readonly object_id: string | null;
  /** Scalars only, so that one text of them can be made again. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

/** Who did it, from where. */
export interface AuditActor {
  readonly actor_id: string | null;
  readonly actor_email: string | null;
  readonly scheme: string | null;
  readonly api_key_id: string | null;
  readonly request_id: string | null;
  readonly address: string | null;
}

/** One line of the log before it has its place in the chain. */
export type AuditFacts = AuditEvent & AuditActor & { readonly at: string };

/**
 * A line in its place. `hash` is the SHA-256 of the previous line's hash and this line's facts, so that no line can be
 * changed, removed or put between others without a trace. The first line follows on `FIRST_HASH`.
 */
export const AuditEntry = z
  .object({
    sequence: z.int(),
    at: z.string(),
    action: z.string(),
    object_kind: z.string(),
    object_id: z.string().nullable(),
    actor_id: z.string().nullable(),
    actor_email: z.string().nullable(),
    scheme: z.string().nullable(),
    api_key_id: z.string().nullable(),
    request_id: z.string().nullable(),
    address: z.string().nullable(),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    previous_hash: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.output<typeof AuditEntry>;

export const FIRST_HASH = '0'.repeat(64);

/** The text that is hashed: one JSON list in a fixed order, details sorted by name. */
export function canonical(sequence: number, facts: AuditFacts): string {
  const { at, action, object_kind, object_id, actor_id, actor_email, scheme, api_key_id, request_id, address, details } = facts;
  const sorted = Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    sequence,
    at,
    action,
    object_kind,
    object_id,
    actor_id,
    actor_email,
    scheme,
    api_key_id,
    request_id,
    address,
    sorted,
  ]);
}
