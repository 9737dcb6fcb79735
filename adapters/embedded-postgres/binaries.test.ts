import { expect, it } from 'vitest';
import { findBinaries, majorVersion } from './binaries.ts';

it('tells the way out where no package exists for the machine', async () => {
  await expect(findBinaries('aix', 'ppc64')).rejects.toThrow(/no bundled PostgreSQL for aix ppc64 .*set DATABASE_URL/);
});

it('takes the major version from the package version', () => {
  expect(majorVersion('18.4.0-beta.17')).toBe('18');
});
