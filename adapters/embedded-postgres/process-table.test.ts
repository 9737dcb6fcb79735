import { realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAlive, isServerOf, parseState, processesIn } from './process-table.ts';

const NO_SUCH_PROCESS = 2 ** 22 + 1;

describe('process table', () => {
  it('reads the state behind a program name with brackets and spaces', () => {
    expect(parseState('4711 (postgres) S 1 4711 4711 0')).toBe('S');
    expect(parseState('4711 (a) Z (b)) Z 1 4711 4711 0')).toBe('Z');
    expect(parseState('')).toBeUndefined();
  });

  it('sees this process and misses one that does not exist', () => {
    expect(isAlive(process.pid)).toBe(true);
    expect(isAlive(NO_SUCH_PROCESS)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('knows where processes work', async () => {
    const folder = realpathSync(process.cwd());
    expect(await processesIn(folder)).toContain(process.pid);
    expect(await isServerOf(process.pid, folder)).toBe(true);
    expect(await isServerOf(process.pid, `${folder}/elsewhere`)).toBe(false);
  });
});
