import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../caller.ts';
import { RecentPrincipals } from './recent-principals.ts';

const ANN: Principal = {
  user_id: 'ann',
  email: 'ann@example.org',
  role: 'user',
  scheme: 'basic',
  api_key_id: null,
  project_id: null,
  max_role: null,
  purpose: null,
};

let now: number;
let asked: number;
let recent: RecentPrincipals;
beforeEach(() => {
  now = 0;
  asked = 0;
  recent = new RecentPrincipals({ clock: () => new Date(now) });
});

const ask = () =>
  recent.remembered('proof', 1000, async () => {
    asked += 1;
    return ANN;
  });

describe('a proven credential', () => {
  it('is believed for its time', async () => {
    expect([await ask(), await ask()]).toEqual([ANN, ANN]);
    now = 999;
    await ask();
    expect(asked).toBe(1);
    now = 1000;
    await ask();
    expect(asked).toBe(2);
  });

  it('is asked for again when it was refused', async () => {
    await recent.remembered('proof', 1000, async () => undefined);
    expect(await ask()).toEqual(ANN);
    expect(asked).toBe(1);
  });

  it('is proven once for all who bring it at the same time', async () => {
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([ANN, ANN, ANN]);
    expect(asked).toBe(1);
  });

  it('is proven by each who brings it at the same time as it is refused to another', async () => {
    const refused = recent.remembered('proof', 1000, async () => {
      throw new AppError('too_many', 'rate_limited', 'too many bad keys of this network');
    });
    const good = ask();
    await expect(refused).rejects.toThrow('too many');
    expect(await good).toEqual(ANN);
  });

  it('is not looked for by all who bring it in turn while the database is away', async () => {
    const unavailable = async () => {
      asked += 1;
      throw new AppError('unavailable', 'database_unavailable', 'the database does not answer');
    };
    const waiting = [1, 2, 3].map(() => recent.remembered('proof', 1000, unavailable));
    for (const one of waiting) await expect(one).rejects.toThrow('does not answer');
    expect(asked).toBe(1);
  });

  it('is proven anew by who brings it after all was forgotten, though another proof is under way', async () => {
    const first = ask();
    recent.forget();
    await Promise.all([first, ask()]);
    expect(asked).toBe(2);
  });

  it('is proven anew once all is forgotten', async () => {
    await ask();
    recent.forget();
    await ask();
    expect(asked).toBe(2);
  });

  it('is not remembered when all was forgotten while it was being proven', async () => {
    const proving = recent.remembered('proof', 1000, async () => {
      recent.forget();
      return ANN;
    });
    expect(await proving).toEqual(ANN);
    await ask();
    expect(asked).toBe(1);
  });
});
