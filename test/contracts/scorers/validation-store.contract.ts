import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Evidence, Validation } from '../../../core/scorers/validation/validation.ts';
import type { ValidationStore } from '../../../core/scorers/validation/validation-store.ts';
import type { Opened } from '../opened.ts';

const NASTY = 'NUL \0 half \ud83e private \uf8ff';
const EARLY = '2026-01-02T03:04:05.678Z';

const validation = (facts: Partial<Validation> = {}): Validation => ({
  id: randomUUID(),
  kind: 'registered',
  definition: { language: 'javascript', source: NASTY },
  definition_hash: 'ab12',
  plan: { [NASTY]: [NASTY, 1, null] },
  project_id: null,
  run_id: null,
  evidence: null,
  scorer_version_id: null,
  created_by: randomUUID(),
  created_at: EARLY,
  ...facts,
});

const evidence: Evidence = {
  verdict: 'invalid',
  definition_hash: 'ab12',
  inputs_hash: 'cd34',
  records: 2,
  succeeded: 1,
  failed: 1,
  not_applicable: 0,
  elapsed_ms: 12,
  peak_memory_bytes: null,
  outputs: [{ node_type: 'llm', record_id: null, score: [NASTY, true], message: NASTY }],
  errors: [NASTY],
  finished_at: EARLY,
};

export function validationStoreContract(adapter: string, open: () => Promise<Opened<ValidationStore>>): void {
  describe(`ValidationStore, ${adapter}`, () => {
    let store: ValidationStore;
    beforeEach(async () => {
      store = (await open()).port;
    });

    it('gives back what was stored, and refuses a taken id', async () => {
      const [bare, full] = [validation(), validation({ project_id: randomUUID(), run_id: randomUUID(), evidence })];
      for (const one of [bare, full]) {
        await store.insert(one);
        expect(await store.find(one.id)).toStrictEqual(one);
      }
      await expect(store.insert(bare)).rejects.toMatchObject({ kind: 'conflict', code: 'validation_exists' });
      expect(await store.find(randomUUID())).toBeUndefined();
    });

    it('keeps what came of a trial, and the version that was made of it', async () => {
      const [one, other] = [validation(), validation()];
      for (const each of [one, other]) await store.insert(each);
      const scorer_version_id = randomUUID();
      await store.finish(one.id, evidence);
      await store.link(one.id, scorer_version_id);
      expect(await store.findByVersion(scorer_version_id)).toStrictEqual({ ...one, evidence, scorer_version_id });
      expect(await store.findByVersion(randomUUID())).toBeUndefined();
      expect(await store.find(other.id)).toStrictEqual(other);
      await store.finish(randomUUID(), evidence);
      await store.link(randomUUID(), scorer_version_id);
    });

    it('tells the oldest trials that still have a run, until it is forgotten', async () => {
      const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
      const run = () => ({ project_id: randomUUID(), run_id: randomUUID() });
      const [second, first, third, runless] = [
        validation({ ...run(), created_at: at(2) }),
        validation({ ...run(), created_at: at(1) }),
        validation({ ...run(), created_at: at(3) }),
        validation({ created_at: at(1) }),
      ];
      for (const each of [second, first, third, runless]) await store.insert(each);
      const ids = async (limit: number) => (await store.listWithRunBefore(at(3), limit)).map(({ id }) => id);
      expect(await ids(10)).toEqual([first.id, second.id]);
      expect(await ids(1)).toEqual([first.id]);
      await store.forgetRun(first.id);
      expect(await ids(10)).toEqual([second.id]);
      expect(await store.find(first.id)).toStrictEqual({ ...first, project_id: null, run_id: null });
    });

    it('removes old trials that led to nothing', async () => {
      const late = '2026-02-02T00:00:00.000Z';
      const run = { project_id: randomUUID(), run_id: randomUUID() };
      const [unused, used] = [validation(), validation({ scorer_version_id: randomUUID() })];
      const [running, recent] = [validation(run), validation({ created_at: late })];
      for (const each of [unused, used, running, recent]) await store.insert(each);
      await store.removeUnusedBefore(late);
      expect(await store.find(unused.id)).toBeUndefined();
      for (const each of [used, running, recent]) expect(await store.find(each.id)).toStrictEqual(each);
    });
  });
}
