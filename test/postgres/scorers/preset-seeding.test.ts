import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresScorerStore } from '../../../adapters/postgres/scorers/postgres-scorer-store.ts';
import { presetSeedingContract, toSeeding } from '../../contracts/scorers/preset-seeding.contract.ts';
import { PRESETS } from '../../setup/built-in-kinds.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

async function open() {
  await database.empty('scorers', 'scorer_versions');
  return {
    port: { scorerStore: new PostgresScorerStore(database), transactions: database.session },
    close: async () => {},
  };
}

presetSeedingContract('PostgreSQL', open);

it('brings every preset once when several start at once', async () => {
  const { port } = await open();
  const seeded = await Promise.all([1, 2, 3].map(() => toSeeding(port).seed(PRESETS)));
  expect(seeded.flatMap(({ added }) => added).toSorted()).toEqual(PRESETS.map(({ name }) => name).toSorted());
  const [counts] = await database.session.sql<{ scorers: number; versions: number; numbers: number }>(
    `select (select count(*) from scorers)::int as scorers, count(*)::int as versions, max(version)::int as numbers from scorer_versions`,
  );
  expect(counts).toEqual({ scorers: PRESETS.length, versions: PRESETS.length, numbers: 1 });
  const renewed = PRESETS.map((preset) => ({ ...preset, definition: { ...preset.definition, max_tokens: 4096 } }));
  const again = await Promise.all([1, 2, 3].map(() => toSeeding(port).seed(renewed)));
  expect(again.flatMap((one) => one.renewed)).toHaveLength(PRESETS.length);
});
