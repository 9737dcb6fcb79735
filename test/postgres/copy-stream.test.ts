import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyIn, copyOut } from '../../adapters/postgres/backup/copy-stream.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';

const ROWS = 40_000;

describe('a copy as a stream', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('create table texts (n int, text text)');
    await client.query("insert into texts select n, repeat('x', 500) || n from generate_series(1, $1::int) n", [ROWS]);
    await client.query('create table copied (like texts)');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const computeCount = async (sql: string) => Number((await client.query<{ count: string }>(sql)).rows[0]!.count);

  it('waits for a reader that is slower than the server, and loses nothing', async () => {
    let bytes = 0;
    let chunks = 0;
    for await (const chunk of copyOut(client, 'copy texts to stdout') as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      chunks += 1;
      if (chunks % 200 === 0) await sleep(1);
    }
    expect(bytes).toBe(await computeCount("select sum(length(n || E'\\t' || text || E'\\n')) as count from texts"));
  });

  it('fills a table with what another one held', async () => {
    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    await copyIn(client, 'copy copied from stdin', copyOut(reader, 'copy texts to stdout'));
    await reader.end();
    expect(await computeCount('select count(*) from (select * from texts except all select * from copied)')).toBe(0);
    expect(await computeCount('select count(*) from copied')).toBe(ROWS);
  });

  it('fails with the reason of its source, and the connection goes on', async () => {
    const source = Readable.from(
      (async function* () {
        yield Buffer.from('1\tone\n');
        throw new Error('the disk is gone');
      })(),
    );
    await expect(copyIn(client, 'copy copied from stdin', source)).rejects.toThrow('the disk is gone');
    expect(await computeCount('select count(*) from copied where text = $$one$$')).toBe(0);
  });

  it('fails with the reason of the server', async () => {
    await expect(copyOut(client, 'copy nothing to stdout').toArray()).rejects.toThrow(/"nothing" does not exist/);
    await expect(copyIn(client, 'copy texts from stdin', Readable.from([Buffer.from('no number\n')]))).rejects.toThrow(
      /integer|column/,
    );
    expect(await computeCount('select 1 as count')).toBe(1);
  });
});
