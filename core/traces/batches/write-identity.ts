import { computeDigest, type Sha256 } from '../../kernel/digest.ts';
import type { NewId } from '../../kernel/ports.ts';

/** Where the ids and times come from that a request leaves to the service. */
export interface WriteIdentity {
  /** ISO 8601. */
  readonly now: string;
  /** Begins the row of ids: a plan that is made again gets the same ones. */
  newIds(): NewId;
}

/**
 * The same ids and times for each attempt at a batch, so that it may be written any number of times: records are overwritten by themselves. Ids
 * are UUIDs of version 4 in form (RFC 9562, section 5.4), their bits taken from SHA-256 of project, key and a counter.
 */
export function identityOf(project_id: string, key: string, received_at: string, sha256: Sha256): WriteIdentity {
  const toId = (place: number): string => {
    const hex = computeDigest(`${project_id}\n${key}\n${received_at}\n${place}`, sha256);
    const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  const newIds = (): NewId => {
    let made = 0;
    return () => {
      made += 1;
      return toId(made);
    };
  };
  return { now: received_at, newIds };
}
