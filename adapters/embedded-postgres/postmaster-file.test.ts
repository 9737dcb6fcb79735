import { describe, expect, it } from 'vitest';
import { parsePostmasterFile } from './postmaster-file.ts';

describe('parsePostmasterFile', () => {
  it('reads process id and port', () => {
    const text = '4711\n/srv/data/postgres\n1795244000\n54329\n/srv/data/postgres\n127.0.0.1\n  1234  0\nready   \n';
    expect(parsePostmasterFile(text)).toStrictEqual({ pid: 4711, port: 54329 });
  });

  it.each(['', '54329\n', '54329\n/srv/data/postgres\n', '54329\n/srv/data/postgres\n\n'])(
    'knows no port before the server listens: %j',
    (rest) => {
      expect(parsePostmasterFile(`4711\n/srv/data/postgres\n1795244000\n${rest}`)).toStrictEqual({ pid: 4711, port: undefined });
    },
  );

  it('understands the minus of a stand-alone backend', () => {
    expect(parsePostmasterFile('-4711\n/srv/data/postgres\n1\n')).toMatchObject({ pid: 4711 });
  });

  it.each(['', '\n', 'postgres\n', '0\n'])('finds nothing in %j', (text) => {
    expect(parsePostmasterFile(text)).toBeUndefined();
  });
});
