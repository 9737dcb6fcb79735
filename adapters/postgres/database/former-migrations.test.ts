import { describe, expect, it } from 'vitest';
import { FORMER_MIGRATIONS, toCurrentMigrations } from './former-migrations.ts';

describe('the migrations of a backup', () => {
  it('are the schema they became when it has all of the former ones, whatever their order', () => {
    expect(toCurrentMigrations(FORMER_MIGRATIONS)).toEqual(['m0001-schema']);
    expect(toCurrentMigrations([...FORMER_MIGRATIONS.toReversed(), 'm0099-later'])).toEqual(['m0001-schema', 'm0099-later']);
  });

  it('are what they are when there is no former one among them', () => {
    expect(toCurrentMigrations([])).toEqual([]);
    expect(toCurrentMigrations(['m0001-schema', 'm0099-later'])).toEqual(['m0001-schema', 'm0099-later']);
  });

  it('are refused when one of the former ones is missing', () => {
    const early = 'the schema is of an early version, before migration m0034-alert-channels';
    expect(() => toCurrentMigrations(FORMER_MIGRATIONS.slice(0, -1))).toThrow(early);
    expect(() => toCurrentMigrations(['m0001-first-schema'])).toThrow(early);
    expect(() => toCurrentMigrations(FORMER_MIGRATIONS.slice(1))).toThrow(early);
  });
});
