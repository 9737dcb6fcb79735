import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryDatabase } from '../../adapters/memory/memory-database.ts';
import { MemoryProjectStore } from '../../adapters/memory/projects/memory-project-store.ts';
import type { Condition, Fragment } from '../../adapters/postgres/database/sql.ts';
import { PostgresProjectStore } from '../../adapters/postgres/projects/postgres-project-store.ts';
import { toSqlCondition } from '../../adapters/postgres/traces/filter-sql.ts';
import {
  booleanFilter,
  collectionFilter,
  customBooleanFilter,
  customUuidFilter,
  dateFilter,
  enumFilter,
  idFilter,
  numberFilter,
  stringFilter,
} from '../../core/kernel/query/filter.ts';
import { type FilterValue, matches } from '../../core/kernel/query/filter-matching.ts';
import { ProjectSearch, ProjectType, type StoredProject } from '../../core/projects/project.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../setup/migrated-database.ts';

/** In Turkish, `I` is no capital `i` and letters order otherwise: nothing may depend on the locale of the database. */
const TURKISH = `template template0 encoding 'UTF8' locale_provider icu icu_locale 'tr'`;

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase(TURKISH);
});
afterAll(() => database.close());

/** Few values, so that filters meet rows: wildcards, quotes, letters that change length or form with their case. */
const LETTERS = [
  'i',
  'I',
  'a',
  'A',
  'b',
  '%',
  '_',
  '\\',
  "'",
  'ß',
  'é',
  'É',
  'σ',
  'Σ',
  'ς',
  'İ',
  'ı',
  ' ',
  '\u{1f99c}',
  '\uff5e',
  '$1',
];
const text = fc.array(fc.constantFrom(...LETTERS), { maxLength: 2 }).map((letters) => letters.join(''));
const IDS = Array.from({ length: 4 }, (_, index) => `${index}a000000-0000-4000-8000-000000000000`);
const id = fc.constantFrom(...IDS);
const sentId = id.map((lower) => lower.toUpperCase());
const instant = fc.constantFrom('2026-01-01T00:00:00.120Z', '2026-01-01T00:00:00.120001Z', '2026-01-01T00:00:00.119Z');
const sentInstant = fc.oneof(instant, fc.constant('2026-01-01T02:00:00.12+02:00'));
const number = fc.constantFrom(0, 1, 1.5, 2, -1, 1e300);
const listOr =
  <T>(value: fc.Arbitrary<T>, ...lists: string[]) =>
  (operator: string) =>
    lists.includes(operator) ? fc.oneof(value, fc.array(value, { maxLength: 3 })) : value;
const folding = fc.constantFrom(true, false, null, undefined);

/** A filter as a client sends it: any operator of its family, with a value that the operator takes. */
function sent(name: string, operators: readonly string[], value: (operator: string) => fc.Arbitrary<unknown>) {
  const fields = (operator: string) =>
    fc.record({ name: fc.constant(name), operator: fc.constant(operator), value: value(operator), case_sensitive: folding });
  return fc.constantFrom(...operators).chain(fields);
}
const TEXT = ['eq', 'ne', 'contains', 'one_of', 'not_in'];
const ORDER = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'];
const texts = (name: string) => sent(name, TEXT, listOr(text, 'one_of', 'not_in'));
const ids = (name: string) => sent(name, TEXT, listOr(sentId, 'one_of', 'not_in'));
const dates = (name: string) => sent(name, ORDER, () => sentInstant);
const between = fc.tuple(number, number);
const numbers = (name: string) => sent(name, [...ORDER, 'between'], (operator) => (operator === 'between' ? between : number));
const members = (name: string, of: readonly string[]) =>
  sent(name, ['eq', 'ne', 'one_of', 'not_in'], listOr(fc.constantFrom(...of), 'one_of', 'not_in'));
const customBooleans = (name: string) => fc.record({ name: fc.constant(name), value: fc.boolean() });

describe('filters in SQL', () => {
  const Any = z.discriminatedUnion('name', [
    stringFilter('string'),
    idFilter('id'),
    dateFilter('date'),
    numberFilter('number'),
    booleanFilter('boolean'),
    enumFilter('enum', ['red', 'green']),
    collectionFilter('collection'),
    customUuidFilter('custom_uuid'),
    customBooleanFilter('custom_boolean'),
  ]);
  const row = fc.record({
    string: fc.option(text),
    id: fc.option(id),
    date: fc.option(instant),
    number: fc.option(number),
    boolean: fc.option(fc.boolean()),
    enum: fc.option(fc.constantFrom('red', 'green')),
    collection: fc.option(fc.array(text, { maxLength: 3 })),
    custom_uuid: fc.array(id, { maxLength: 2 }),
    custom_boolean: fc.option(fc.boolean()),
  });
  const anyFilter = fc.oneof(
    { arbitrary: texts('string'), weight: 8 },
    ids('id'),
    dates('date'),
    numbers('number'),
    sent('boolean', ['eq', 'ne'], () => fc.boolean()),
    members('enum', ['red', 'green']),
    sent('collection', ['eq', 'contains', 'not_in'], listOr(text, 'eq', 'contains', 'not_in')),
    fc.record({ name: fc.constant('custom_uuid'), value: sentId }),
    customBooleans('custom_boolean'),
  );
  const columns = {
    string: sql`string`,
    id: sql`id`,
    date: sql`date`,
    number: sql`number`,
    boolean: sql`boolean`,
    enum: sql`enum`,
    collection: sql`collection`,
    custom_uuid: (value: Fragment): Condition => sql`${value} = any(custom_uuid)`,
    custom_boolean: sql`custom_boolean`,
  };
  const TYPES = sql`string text, id uuid, date timestamptz, number double precision, boolean boolean, enum text, collection jsonb`;

  it('mean what they mean in code, for every family', async () => {
    const property = fc.asyncProperty(row, anyFilter, async (values, body) => {
      const filter = Any.parse(body);
      const [answer] = await database.session.rows(
        sql<{ passes: boolean }>`select (${toSqlCondition([filter], columns)}) is true as passes
         from jsonb_to_record(${JSON.stringify(values)}::jsonb) as one(${TYPES}, custom_uuid uuid[], custom_boolean boolean)`,
      );
      expect(answer!.passes).toBe(matches(filter, values[filter.name] as FilterValue));
    });
    await fc.assert(property, { numRuns: 3000 });
  });

  it.each(['I', 'É', 'Σ', 'İ', 'ẞ'])('fold %s as code does, whatever the locale of the database', async (letter) => {
    const filter = Any.parse({ name: 'string', operator: 'eq', value: letter.toLowerCase(), case_sensitive: false });
    const condition = toSqlCondition([filter], { ...columns, string: sql`${letter}::text` });
    expect(await database.session.rows(sql`select ${condition} as passes`)).toEqual([{ passes: true }]);
  });
});

describe('lists of projects', () => {
  const stored = fc
    .record({
      name: text,
      type: fc.constantFrom(...ProjectType.options),
      created_by: id,
      created_at: instant,
      updated_at: instant,
    })
    .map((facts): StoredProject => ({ id: randomUUID(), description: null, labels: [], type_is_default: false, ...facts }));
  const withRuns = fc.tuple(stored, fc.nat({ max: 2 }));
  const projects = fc.uniqueArray(withRuns, { maxLength: 8, selector: ([{ type, name }]) => `${type} ${name}` });
  const filter = fc.oneof(
    texts('name'),
    members('type', ProjectType.options),
    ids('creator'),
    dates('created_at'),
    dates('updated_at'),
    numbers('runs'),
    customBooleans('bookmark'),
  );
  const sort = fc.record({
    name: fc.constantFrom('name', 'type', 'created_at', 'updated_at', 'runs', 'bookmark'),
    ascending: fc.boolean(),
  });
  const search = fc.record({ filters: fc.array(filter, { maxLength: 2 }), sort: fc.option(sort) });
  const slice = fc.record({ offset: fc.nat({ max: 4 }), limit: fc.nat({ max: 4 }) });

  it('are the same on memory and PostgreSQL', async () => {
    const property = fc.asyncProperty(
      projects,
      fc.array(search, { minLength: 5, maxLength: 10 }),
      slice,
      async (rows, searches, part) => {
        await database.empty('projects', 'runs');
        const [memory, postgres] = [
          new MemoryProjectStore({ database: new MemoryDatabase() }),
          new PostgresProjectStore(database),
        ];
        for (const store of [memory, postgres]) await fill(store, rows);
        for (const { filters, sort } of searches.map((body) => ProjectSearch.parse(body))) {
          const expected = await memory.listProjects(filters, sort);
          expect(await postgres.listProjects(filters, sort)).toStrictEqual(expected);
          expect(await postgres.countProjects(filters)).toBe(expected.length);
          expect(await memory.countProjects(filters)).toBe(expected.length);
          const cut = expected.slice(part.offset, part.offset + part.limit);
          expect(await postgres.listProjects(filters, sort, part)).toStrictEqual(cut);
          expect(await memory.listProjects(filters, sort, part)).toStrictEqual(cut);
        }
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  async function fill(store: MemoryProjectStore | PostgresProjectStore, rows: [StoredProject, number][]): Promise<void> {
    for (const [project, runs] of rows) {
      await store.insertProject(project);
      for (let at = 0; at < runs; at += 1) {
        const facts = { kind: 'log_stream', created_by: null, has_user_created_sessions: false } as const;
        const times = { created_at: project.created_at, updated_at: project.updated_at };
        await store.insertRun({ project_id: project.id, id: randomUUID(), name: `run ${at}`, ...facts, ...times });
      }
    }
  }
});
