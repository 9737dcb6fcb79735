import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

  it('is closed to other users of the machine, who could hold it by reading it, also where it was open before', () => {
    const file = join(folder, 'lock');
    const modes = () => [file, `${file}.pid`].map((path) => (statSync(path).mode & 0o777).toString(8));
    const lock = lockFolder(file, folder);
    expect(modes()).toEqual(['600', '600']);
    lock.release();
    chmodSync(file, 0o644);
    writeFileSync(`${file}.pid`, '1\n', { mode: 0o644 });
    const again = lockFolder(file, folder);
    expect(modes()).toEqual(['600', '600']);
    expect(() => lockFolder(file, folder)).toThrow('in use');
    expect(() => lockFolder(file, folder)).toThrow('in use');
    again.release();
  });

  it('can be taken again after its release, which may come twice', () => {
    const first = lockFolder(join(folder, 'lock'), folder);
    first.release();
    first.release();
    lockFolder(join(folder, 'lock'), folder).release();
  });
});
