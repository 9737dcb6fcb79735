import { describe, expect, it } from 'vitest';
import { chooseServerUser } from './server-user.ts';

const ROOT = 'root:x:0:0:root:/root:/bin/bash';
const NOBODY = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin';
const POSTGRES = 'postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash';

describe('chooseServerUser', () => {
  it('prefers the user postgres, wherever it stands', () => {
    expect(chooseServerUser([ROOT, NOBODY, POSTGRES].join('\n'))).toStrictEqual({ uid: 101, gid: 104 });
  });

  it('falls back to nobody, also with the negative number some systems give it', () => {
    expect(chooseServerUser([ROOT, NOBODY, ''].join('\n'))).toStrictEqual({ uid: 65534, gid: 65534 });
    expect(chooseServerUser('nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false')).toStrictEqual({ uid: -2, gid: -2 });
  });

  it('finds nobody to run as among root, comments and broken lines', () => {
    expect(chooseServerUser([ROOT, '# nobody', 'nobody', 'postgres:x:a:b', ''].join('\n'))).toBeUndefined();
  });

  it('does not take a user with the rights of root', () => {
    expect(chooseServerUser(['postgres:x:0:0::/:/bin/sh', NOBODY].join('\n'))).toStrictEqual({ uid: 65534, gid: 65534 });
  });
});
