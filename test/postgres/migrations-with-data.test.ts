import { randomUUID } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PostgresAccessStore } from '../../adapters/postgres/access/postgres-access-store.ts';
import { PostgresAuditStore } from '../../adapters/postgres/access/postgres-audit-store.ts';
import { PostgresCollaboratorStore } from '../../adapters/postgres/access/postgres-collaborator-store.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';
import { FIRST_HASH } from '../../core/access/audit/audit.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';

const YEARS = ['2024-01-02T03:04:05.678Z', '2025-01-02T03:04:05.678901Z', '2026-01-02T03:04:05.000Z'] as const;
const [OLD, RECENT, NEW] = YEARS;

describe('a database of the first schema', () => {
  let database: TestDatabase;
  let orm: MikroORM;
  let session: PostgresSession;

  beforeEach(async () => {
    database = await createTestDatabase();
    orm = await openOrm({ url: database.url, poolSize: 2 });
    session = new PostgresSession({ orm });
    await orm.migrator.up({ to: 'm0001-first-schema' });
  });
  afterEach(async () => {
    await orm.close();
    await database.drop();
  });

  async function insertUser(role: string, created_at: string): Promise<string> {
    const id = randomUUID();
    await session.sql(`insert into users values ($1, $2, 'Ada', 'L', $3, '$argon2id$x', 4, $4, $4)`, [id, id, role, created_at]);
    return id;
  }

  async function insertProject(created_by: string | null): Promise<string> {
    const id = randomUUID();
    await session.sql(`insert into projects values ($1, $2, 'gen_ai', $3, null, '[]', $4, $4)`, [id, id, created_by, NEW]);
    return id;
  }

  const getOwners = (id: string) => new PostgresCollaboratorStore({ session }).holdOwners({ kind: 'project', id });

  it('keeps its users, who may log in as before, and their keys, which are not limited', async () => {
    const [user_id, key_id] = [await insertUser('user', OLD), randomUUID()];
    await session.sql(`insert into api_keys values ($1, $2, 'digest', 'old key', 'abcd', null, null, $3)`, [
      key_id,
      user_id,
      RECENT,
    ]);
    await orm.migrator.up();
    const store = new PostgresAccessStore({ session });
    expect(await store.findUser(user_id)).toStrictEqual({
      id: user_id,
      email: user_id,
      first_name: 'Ada',
      last_name: 'L',
      role: 'user',
      auth_method: 'email',
      email_is_verified: true,
      is_disabled: false,
      password_hash: '$argon2id$x',
      token_version: 4,
      created_at: OLD,
      updated_at: OLD,
    });
    const dates = { expires_at: null, last_used_at: null, created_at: RECENT };
    const rest = { key_hash: 'digest', description: 'old key', truncated: 'abcd', project_id: null, max_role: null };
    expect(await store.findApiKey(key_id)).toStrictEqual({ id: key_id, user_id, ...rest, ...dates });
  });

  it('gives each project to who created it, else to the oldest administrator', async () => {
    await insertUser('admin', RECENT);
    const oldest = await insertUser('admin', OLD);
    const creator = await insertUser('user', NEW);
    const projects = {
      created: await insertProject(creator),
      orphan: await insertProject(null),
      left: await insertProject(randomUUID()),
    };
    await orm.migrator.up();
    expect(await getOwners(projects.created)).toEqual([creator]);
    expect(await getOwners(projects.orphan)).toEqual([oldest]);
    expect(await getOwners(projects.left)).toEqual([oldest]);
    const store = new PostgresCollaboratorStore({ session });
    const found = await store.findUser({ kind: 'project', id: projects.created }, creator);
    expect(found).toMatchObject({ user_id: creator, role: 'owner', created_at: NEW });
    expect(await session.sql('select distinct id from user_collaborators')).toHaveLength(3);
    expect(await session.sql('select from shared_objects')).toHaveLength(3);
  });

  it('is migrated also where nobody could own a project', async () => {
    const project = await insertProject(null);
    await orm.migrator.up();
    expect(await getOwners(project)).toEqual([]);
    expect(await orm.migrator.getPending()).toEqual([]);
  });

  it('gets one organisation and an empty audit log', async () => {
    await orm.migrator.up();
    expect(await new PostgresAccessStore({ session }).organization()).toMatchObject({ name: 'default' });
    expect(await session.sql('select from organizations')).toHaveLength(1);
    const auditStore = new PostgresAuditStore({ session });
    expect(await auditStore.readAfter(0, 10)).toEqual([]);
    expect(await session.sql('select sequence::int, hash from audit_head')).toStrictEqual([{ sequence: 0, hash: FIRST_HASH }]);
  });
});
