import { describe, expect, it } from 'vitest';
import { startFailure } from './start-failure.ts';

describe('startFailure', () => {
  it('names folder, path and reason, and keeps the cause', () => {
    const cause = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/srv/data/postgres.lock' });
    const failure = startFailure(cause, '/srv/data');
    expect(failure).toMatchObject({ cause });
    expect(String(failure)).toMatch(
      /data folder \/srv\/data cannot be used: \/srv\/data\/postgres.lock is not readable and writable/,
    );
  });

  it('passes what already speaks for itself', () => {
    const own = new Error('data folder /srv/data is in use by process 12');
    expect(startFailure(own, '/srv/data')).toBe(own);
    const unknown = Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
    expect(startFailure(unknown, '/srv/data')).toBe(unknown);
  });
});
