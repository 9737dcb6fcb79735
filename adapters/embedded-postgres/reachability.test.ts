import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canReach, mayEnter, mayRead } from './reachability.ts';

const user = { uid: 101, gid: 104 };

describe('mayEnter', () => {
  it.each([
    ['the owner', { uid: 101, gid: 0, mode: 0o100 }, true],
    ['the owner shut out while others are not', { uid: 101, gid: 104, mode: 0o011 }, false],
    ['the group', { uid: 0, gid: 104, mode: 0o710 }, true],
    ['the group shut out while others are not', { uid: 0, gid: 104, mode: 0o701 }, false],
    ['others', { uid: 0, gid: 0, mode: 0o711 }, true],
    ['others at a closed folder', { uid: 0, gid: 0, mode: 0o700 }, false],
    ['a folder that can be listed but not entered', { uid: 0, gid: 0, mode: 0o744 }, false],
    ['type bits above the rights', { uid: 0, gid: 0, mode: 0o40755 }, true],
  ])('judges %s', (_, rights, expected) => {
    expect(mayEnter(rights, user)).toBe(expected);
  });
});

describe('mayRead', () => {
  it('looks at another bit', () => {
    expect(mayRead({ uid: 0, gid: 0, mode: 0o644 }, user)).toBe(true);
    expect(mayRead({ uid: 0, gid: 0, mode: 0o711 }, user)).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('canReach', () => {
  let folder: string;
  const stranger = { uid: 64_001, gid: 64_001 };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'touchstone-reach-'));
    await mkdir(join(folder, 'inner'), { mode: 0o755 });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is stopped by one closed folder on the way', async () => {
    await chmod(folder, 0o711);
    expect(await canReach(join(folder, 'inner'), stranger)).toBe(true);
    await chmod(folder, 0o700);
    expect(await canReach(join(folder, 'inner'), stranger)).toBe(false);
  });
});
