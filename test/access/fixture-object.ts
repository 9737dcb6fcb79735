import { randomUUID } from 'node:crypto';
import type { TestServer } from '../http/harness.ts';
import { ID_NAMES, type IdName, type Ids } from './row.ts';

/** An object of its own with all that belongs to it, made through the stores. */
export interface FixtureObject {
  readonly ids: Ids;
  /** Stands in the texts of the object: who does not see it must not find this in a reply. */
  readonly secret: string;
  /** Everything stored of it, to tell whether a request changed anything. */
  picture(): Promise<string>;
}

/** The people who are there whoever asks. */
export interface FixtureServer {
  readonly server: TestServer;
  /** Owns what the fixture objects hold. */
  readonly host_id: string;
}

/** A slice that holds whatever a fixture object has. */
export const ALL = { offset: 0, limit: 1000 };

export const now = (): string => new Date().toISOString();

/** Ids of nothing. */
export function unknownIds(caller_id: string): Ids {
  const ids = Object.fromEntries(ID_NAMES.map((name) => [name, randomUUID()])) as Record<IdName, string>;
  const versions = { version_index: '1', other_version_index: '2' };
  return { ...ids, ...versions, caller_id, name: `name ${randomUUID()}`, stream_name: `stream ${randomUUID()}` };
}
