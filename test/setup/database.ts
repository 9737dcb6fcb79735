import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { inject } from 'vitest';
import './postgres.ts';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A fresh database with the schema of the service and its queues, copied from one that was set up once for the run. */
export const copyMigratedDatabase = (): Promise<TestDatabase> => createTestDatabase(`template ${inject('migratedTemplate')}`);

/** A fresh, empty database on the server of this run. `options` are those of CREATE DATABASE. */
export async function createTestDatabase(options = ''): Promise<TestDatabase> {
  const admin = inject('adminDatabaseUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await run(admin, `create database ${name} ${options}`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => drop(admin, name) };
}

const INSUFFICIENT_PRIVILEGE = '42501';
const AGAIN_MS = 200;

/** Autovacuum may be at work there, which only a superuser may end. It ends by itself, and soon. */
async function drop(admin: string, name: string, tries = 100): Promise<void> {
  try {
    await run(admin, `drop database if exists ${name} with (force)`);
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE || tries === 0) throw error;
    await setTimeout(AGAIN_MS);
    await drop(admin, name, tries - 1);
  }
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
