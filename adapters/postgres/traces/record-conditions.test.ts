import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { RecordFilter } from '../../../core/traces/record-query.ts';
import { sortKeysSql } from './record-columns.ts';
import { conditionSql } from './record-conditions.ts';

const db = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
const run = { project_id: 'given', run_id: 'given' };
const hostile = `given' or true --`;

describe('values of a request', () => {
  it.each<RecordFilter>([
    { type: 'text', column_id: 'name', operator: 'contains', value: hostile, case_sensitive: false },
    { type: 'text', column_id: 'input', operator: 'contains', value: `"${hostile}"`, case_sensitive: true },
    { type: 'text', column_id: `user_metadata/${hostile}`, operator: 'one_of', value: [hostile], case_sensitive: true },
    { type: 'text', column_id: `metrics/${hostile}`, operator: 'eq', value: hostile, case_sensitive: true },
    { type: 'text', column_id: 'words', operator: 'contains', value: hostile, case_sensitive: true },
    { type: 'text', column_id: 'content', operator: 'contains', value: hostile, case_sensitive: true },
    { type: 'number', column_id: `metrics/${hostile}`, operator: 'between', value: [271828, 271829] },
    { type: 'number', column_id: `agreement/${hostile}`, operator: 'lt', value: 271828 },
    { type: 'collection', column_id: 'tags', operator: 'not_in', value: [hostile], case_sensitive: false },
    { type: 'id', column_id: 'id', operator: 'one_of', value: [hostile] },
    { type: 'date', column_id: 'created_at', operator: 'gt', value: hostile },
  ])('are parameters, never text of the statement: %j', (filter) => {
    const { sql, parameters } = conditionSql({ and: [{ not: { filter } }, { or: [{ filter }] }] }, run).compile(db);
    expect(sql).not.toMatch(/given|27182/);
    expect(parameters.length).toBeGreaterThan(1);
    expect(sql.match(/\$\d+/g)).toHaveLength(parameters.length);
  });

  it('are parameters in a sort by a name of their own', () => {
    for (const place of ['metrics', 'agreement', 'user_metadata'])
      for (const key of sortKeysSql(`${place}/${hostile}`, run)) expect(key.compile(db).sql).not.toContain('given');
  });
});
