import { describe, expect, it } from 'vitest';
import { warningsAbout } from './migrate.ts';

const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

describe('the check of a server', () => {
  it('refuses versions older than 15 and takes newer ones', () => {
    expect(() => warningsAbout({ ...durable, version: '140019' })).toThrow('PostgreSQL 14 is too old: 15 or newer is needed');
    expect(warningsAbout({ ...durable, version: '150000' })).toStrictEqual([]);
    expect(warningsAbout({ ...durable, version: '180004' })).toStrictEqual([]);
  });

  it('warns of each setting that gives durability away', () => {
    const state = { version: '180004', fsync: 'off', full_page_writes: 'off', synchronous_commit: 'local' };
    expect(warningsAbout(state).map((line) => line.split(':')[0])).toStrictEqual([
      'fsync is off',
      'full_page_writes is off',
      'synchronous_commit is local',
    ]);
    expect(warningsAbout({ ...durable, synchronous_commit: 'remote_apply', version: '180004' })).toStrictEqual([]);
  });
});
