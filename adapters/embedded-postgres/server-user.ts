/** Whom the server runs as when we are root, since PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const PREFERRED = ['postgres', '_postgres', 'nobody'];

/** Picks an existing user from the text of /etc/passwd; the system itself is not changed. */
export function chooseServerUser(passwd: string): ServerUser | undefined {
  const users = new Map(passwd.split('\n').flatMap(parseLine));
  for (const name of PREFERRED) {
    const user = users.get(name);
    if (user && user.uid !== 0) return user;
  }
  return undefined;
}

function parseLine(line: string): [string, ServerUser][] {
  const [name, , uid, gid] = line.split(':');
  if (!name || !uid || !gid) return [];
  const user = { uid: Number(uid), gid: Number(gid) };
  return Number.isInteger(user.uid) && Number.isInteger(user.gid) ? [[name, user]] : [];
}
