import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from './folder-lock.ts';

describe('lockFolder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'touchstone-lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('refuses a second holder and names the first', () => {
    const lock = lockFolder(join(folder, 'lock'), folder);
    const again = () => lockFolder(join(folder, 'lock'), folder);
    expect(again).toThrow(`data folder ${folder} is in use by process ${process.pid}`);
    expect(again).toThrow('in use');
    lock.release();
  });

  it('can be taken again after its release, which may come twice', () => {
    const first = lockFolder(join(folder, 'lock'), folder);
    first.release();
    first.release();
    lockFolder(join(folder, 'lock'), folder).release();
  });
});
