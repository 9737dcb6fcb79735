import type { Clock } from '../../kernel/ports.ts';
import type { Caller, Origin } from '../caller.ts';
import type { Secrets } from '../login/identity.ts';
import { type AuditActor, type AuditEntry, type AuditEvent, canonical, FIRST_HASH } from './audit.ts';
import type { AuditStore } from './audit-store.ts';

const PAGE = 1000;

export interface ChainReport {
  readonly entries: number;
  /** Hash of the last line: whoever keeps it elsewhere also notices lines cut off at the end. */
  readonly head: string;
  /** Number of the first line that does not follow on the one before it. */
  readonly broken_at: number | null;
}

/** Keeps the audit log. Services note what they change inside the same transaction. */
export class AuditTrail {
  readonly #store: AuditStore;
  readonly #secrets: Secrets;
  readonly #clock: Clock;

  constructor({ auditStore, secrets, clock }: { auditStore: AuditStore; secrets: Secrets; clock: Clock }) {
    this.#store = auditStore;
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /** Notes what a caller did. Call it inside the transaction that does it. */
  note(caller: Caller, event: AuditEvent): Promise<void> {
    const { user_id, email, scheme, api_key_id, origin } = caller;
    return this.toNote({ actor_id: user_id, actor_email: email, scheme, api_key_id, ...origin }, event);
  }

  /** Notes what was done by nobody known: a login that failed, the first start. */
  noteUnknown(origin: Origin | undefined, event: AuditEvent): Promise<void> {
    return this.toNote({ ...NOBODY, ...origin }, event);
  }

  toNote(actor: AuditActor, event: AuditEvent): Promise<void> {
    const facts = { ...actor, ...event, at: this.#clock().toISOString() };
    return this.#store.append(facts, (sequence, previous) => this.#secrets.digest(previous + canonical(sequence, facts)));
  }

  /** Reads the whole log and makes every hash again. */
  async verify(): Promise<ChainReport> {
    let head = FIRST_HASH;
    let entries = 0;
    for (;;) {
      const page = await this.#store.readAfter(entries, PAGE);
      for (const entry of page) {
        if (!this.#follows(entry, entries + 1, head)) return { entries, head, broken_at: entries + 1 };
        head = entry.hash;
        entries += 1;
      }
      if (page.length < PAGE) return { entries, head, broken_at: null };
    }
  }

  #follows(entry: AuditEntry, sequence: number, previous: string): boolean {
    const hash = this.#secrets.digest(previous + canonical(sequence, entry));
    return entry.sequence === sequence && entry.previous_hash === previous && entry.hash === hash;
  }
}

const NOBODY: AuditActor = {
  actor_id: null,
  actor_email: null,
  scheme: null,
  api_key_id: null,
  request_id: null,
  address: null,
};
