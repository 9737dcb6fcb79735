import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuditEntry, type AuditFacts, FIRST_HASH } from '../../../core/access/audit/audit.ts';
import type { AuditStore } from '../../../core/access/audit/audit-store.ts';
import type { Opened } from '../opened.ts';

const EARLY = '2026-01-02T03:04:05.678Z';
const LATE = '2026-01-02T03:04:05.678901Z';
const LATER = '2026-01-02T04:00:00.000Z';
const ALL = { offset: 0, limit: 100 };

function facts(given: Partial<AuditFacts> = {}): AuditFacts {
  const event = { action: 'project.delete', object_kind: 'project', object_id: 'p1', details: {} };
  const actor = { actor_id: 'u1', actor_email: 'ada@example.org', scheme: 'bearer', api_key_id: null };
  return { at: EARLY, ...event, ...actor, request_id: 'r1', address: '127.0.0.1', ...given };
}

/** Not a real seal: it shows what the store handed over. */
const seal = (sequence: number, previous_hash: string): string => `${sequence} after ${previous_hash}`;

export function auditStoreContract(adapter: string, open: () => Promise<Opened<AuditStore>>): void {
  describe(`AuditStore, ${adapter}`, () => {
    let opened: Opened<AuditStore>;
    let store: AuditStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.port;
    });
    afterEach(() => opened.close());

    lines(() => store);
    queries(() => store);
  });
}

function lines(store: () => AuditStore): void {
  it('keeps a line as it was given, as number one after the first hash', async () => {
    const given = facts({ at: LATE, api_key_id: 'k1', details: { name: 'a', count: -1.5e300, done: true, nothing: null } });
    await store().append(given, seal);
    const entry: AuditEntry = { ...given, sequence: 1, previous_hash: FIRST_HASH, hash: `1 after ${FIRST_HASH}` };
    expect(await store().list({}, ALL)).toStrictEqual([entry]);
    expect(await store().readAfter(0, 10)).toStrictEqual([entry]);
  });

  it('keeps a line of nobody', async () => {
    const nobody = { actor_id: null, actor_email: null, scheme: null, api_key_id: null, request_id: null, address: null };
    await store().append(facts({ ...nobody, object_id: null }), seal);
    expect(await store().list({}, ALL)).toMatchObject([{ ...nobody, object_id: null }]);
  });

  it('keeps texts as they are, those that a database refuses too', async () => {
    const odd = 'a\0b\ud800 \uf8ff "quoted" \\ 🦜';
    const given = facts({ object_id: odd, request_id: odd, actor_email: odd, details: { email: odd, [odd]: 1 } });
    await store().append(given, seal);
    expect(await store().list({}, ALL)).toMatchObject([given]);
    expect(await store().list({ object_id: odd }, ALL)).toHaveLength(1);
  });

  it('lets each line follow on the one before it', async () => {
    for (const object_id of ['a', 'b', 'c']) await store().append(facts({ object_id }), seal);
    const entries = await store().readAfter(0, 10);
    expect(entries.map(({ sequence, object_id }) => [sequence, object_id])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    expect(entries[1]).toMatchObject({ previous_hash: entries[0]!.hash, hash: `2 after ${entries[0]!.hash}` });
    expect(entries[2]).toMatchObject({ previous_hash: entries[1]!.hash });
  });

  it('reads on after a number, oldest first, no more than asked for', async () => {
    for (const object_id of ['a', 'b', 'c', 'd']) await store().append(facts({ object_id }), seal);
    const read = async (after: number, limit: number) =>
      (await store().readAfter(after, limit)).map(({ object_id }) => object_id);
    expect(await read(0, 2)).toEqual(['a', 'b']);
    expect(await read(2, 5)).toEqual(['c', 'd']);
    expect(await read(4, 5)).toEqual([]);
  });

  it('keeps nothing of a line that cannot be sealed', async () => {
    const broken = store().append(facts(), () => {
      throw new Error('no seal');
    });
    await expect(broken).rejects.toThrow('no seal');
    await store().append(facts(), seal);
    expect(await store().readAfter(0, 10)).toMatchObject([{ sequence: 1, previous_hash: FIRST_HASH }]);
  });

  it('hands out copies and keeps copies', async () => {
    const details = { name: 'kept' };
    await store().append(facts({ details }), seal);
    details.name = 'changed';
    for (const [entry] of [await store().list({}, ALL), await store().readAfter(0, 1)]) entry!.details.name = 'changed';
    expect(await store().list({}, ALL)).toMatchObject([{ details: { name: 'kept' } }]);
  });
}

function queries(store: () => AuditStore): void {
  const found = async (query: Parameters<AuditStore['list']>[0], slice = ALL) =>
    (await store().list(query, slice)).map(({ sequence }) => sequence);

  it('lists the newest line first, in slices', async () => {
    for (let number = 0; number < 5; number += 1) await store().append(facts(), seal);
    expect(await found({})).toEqual([5, 4, 3, 2, 1]);
    expect(await found({}, { offset: 0, limit: 2 })).toEqual([5, 4]);
    expect(await found({}, { offset: 4, limit: 2 })).toEqual([1]);
    expect(await found({}, { offset: 5, limit: 2 })).toEqual([]);
  });

  it('finds lines by who, what and on which object, all of them together', async () => {
    await store().append(facts(), seal);
    await store().append(facts({ actor_id: 'u2' }), seal);
    await store().append(facts({ action: 'project.create' }), seal);
    await store().append(facts({ object_kind: 'group' }), seal);
    await store().append(facts({ object_id: 'p2' }), seal);
    await store().append(facts({ actor_id: null, object_id: null }), seal);
    expect(await found({ actor_id: 'u2' })).toEqual([2]);
    expect(await found({ action: 'project.create' })).toEqual([3]);
    expect(await found({ object_kind: 'group' })).toEqual([4]);
    expect(await found({ object_id: 'p2' })).toEqual([5]);
    expect(await found({ actor_id: 'u1', action: 'project.delete', object_kind: 'project', object_id: 'p1' })).toEqual([1]);
    expect(await found({ actor_id: 'u2', object_id: 'p2' })).toEqual([]);
    expect(await found({ actor_id: undefined, object_id: undefined })).toHaveLength(6);
  });

  it('finds lines of any of several actions and objects', async () => {
    await store().append(facts(), seal);
    await store().append(facts({ action: 'project.create', object_id: 'p2' }), seal);
    await store().append(facts({ action: 'project.update', object_id: 'p3' }), seal);
    await store().append(facts({ object_id: null }), seal);
    expect(await found({ action: ['project.create', 'project.update', 'nothing'] })).toEqual([3, 2]);
    expect(await found({ object_id: ['p1', 'p3'] })).toEqual([3, 1]);
    expect(await found({ action: ['project.delete', 'project.create'], object_id: ['p2', 'p3'] })).toEqual([2]);
    expect(await found({ object_id: [] })).toEqual([]);
  });

  it('finds lines from one moment on, until before another, to the microsecond', async () => {
    for (const at of [EARLY, LATE, LATER]) await store().append(facts({ at }), seal);
    expect(await found({ from: LATE })).toEqual([3, 2]);
    expect(await found({ to: LATE })).toEqual([1]);
    expect(await found({ from: LATE, to: LATER })).toEqual([2]);
    expect(await found({ from: EARLY, to: EARLY })).toEqual([]);
    expect(await found({ from: LATE, to: LATER, actor_id: 'u2' })).toEqual([]);
  });
}
