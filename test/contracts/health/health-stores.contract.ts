import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredAudit } from '../../../core/health/bias/judge-audit.ts';
import { AUDITS_KEPT, type JudgeAuditStore } from '../../../core/health/bias/judge-audit-store.ts';
import type { StoredHealthScore } from '../../../core/health/health-score.ts';
import type { HealthStore } from '../../../core/health/health-store.ts';
import type { ScorerGateStore } from '../../../core/health/scorer-gate.ts';
import type { TruthColumns } from '../../../core/health/truth-columns.ts';
import type { Opened } from '../opened.ts';

export interface HealthStores {
  readonly healthStore: HealthStore;
  readonly truthColumns: TruthColumns;
  readonly scorerGateStore: ScorerGateStore;
  readonly judgeAuditStore: JudgeAuditStore;
}

/** The stores are opened once; every test works with ids of its own. */
export function healthStoresContract(adapter: string, open: () => Promise<Opened<HealthStores>>): void {
  let opened: Opened<HealthStores>;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  describe(`HealthStore, ${adapter}`, () => {
    const score = (facts: Partial<StoredHealthScore> = {}): StoredHealthScore => ({
      id: randomUUID(),
      scorer_id: randomUUID(),
      scorer_version_id: randomUUID(),
      scorer_version_number: 1,
      dataset_id: randomUUID(),
      health_score_type: 'macro_f1',
      score: 0.1 + 0.2,
      secondary: { n: 4, cohen_kappa: null, 'f1:\0 "half" \ud83e __proto__': 0.5 },
      interval: { low: 0.1, high: 0.1 + 0.2, level: 0.95, resamples: 1000 },
      baseline: { value: 0.3, prediction: ['a\0', '\ud83e'] },
      confusion_table: {
        labels: ['\0 half \ud83e', 'b'],
        counts: [
          [1, 2],
          [0, 4],
        ],
        other_rows: 1,
      },
      computed_at: '2026-01-02T03:04:05.678901Z',
      dataset_version_index: 2,
      run_id: randomUUID(),
      with_overlay: false,
      ...facts,
    });
    const list = ({ scorer_id, dataset_id }: StoredHealthScore) => opened.port.healthStore.list(scorer_id, dataset_id);

    it('gives back what was put', async () => {
      const nothing = { interval: null, baseline: null, confusion_table: null };
      const given = [
        score(),
        score({ ...nothing, score: -1e300, secondary: {}, dataset_version_index: null, with_overlay: true }),
      ];
      for (const one of given) {
        await opened.port.healthStore.put(one);
        expect(await list(one)).toStrictEqual([one]);
      }
    });

    it('replaces a score of the same version, dataset, type and overlay, and keeps its id', async () => {
      const first = score();
      const again = { ...first, id: randomUUID(), score: 0.9, secondary: { n: 1 }, interval: null, run_id: randomUUID() };
      const later = { ...again, computed_at: '2026-01-03T00:00:00.000Z', dataset_version_index: 3 };
      for (const one of [first, again, later]) await opened.port.healthStore.put(one);
      expect(await list(first)).toStrictEqual([{ ...later, id: first.id }]);
    });

    it('lists by version number, then type, without an overlay first', async () => {
      const { scorer_id, dataset_id } = score();
      const of = (facts: Partial<StoredHealthScore>) => score({ scorer_id, dataset_id, ...facts });
      const [tenth, second] = [
        { scorer_version_id: randomUUID(), scorer_version_number: 10 },
        { scorer_version_id: randomUUID(), scorer_version_number: 2 },
      ];
      const expected = [
        of({ ...second, health_score_type: 'mae' }),
        of({ ...second, health_score_type: 'mse' }),
        of({ ...tenth, health_score_type: 'mae' }),
        of({ ...tenth, health_score_type: 'mae', with_overlay: true }),
      ];
      for (const one of [...expected.toReversed(), score({ scorer_id }), score({ dataset_id })])
        await opened.port.healthStore.put(one);
      expect(await opened.port.healthStore.list(scorer_id, dataset_id)).toStrictEqual(expected);
      expect(await opened.port.healthStore.list(scorer_id, dataset_id, 'mse')).toStrictEqual([expected[1]]);
      expect(await opened.port.healthStore.list(scorer_id, dataset_id, 'macro_f1')).toEqual([]);
    });
  });

  describe(`TruthColumns, ${adapter}`, () => {
    it('keeps a choice for each scorer of a dataset, until it is changed or taken back', async () => {
      const [dataset, first, second] = [randomUUID(), randomUUID(), randomUUID()];
      const { truthColumns } = opened.port;
      await truthColumns.choose(dataset, first, 3);
      await truthColumns.choose(dataset, second, 4);
      await truthColumns.choose(dataset, first, 5);
      expect(await truthColumns.find(dataset, first)).toBe(5);
      expect(await truthColumns.list(dataset)).toEqual(
        new Map([
          [first, 5],
          [second, 4],
        ]),
      );
      await truthColumns.choose(dataset, first, null);
      await truthColumns.choose(randomUUID(), first, null);
      expect(await truthColumns.find(dataset, first)).toBeUndefined();
      expect(await truthColumns.find(randomUUID(), second)).toBeUndefined();
    });
  });

  describe(`ScorerGateStore, ${adapter}`, () => {
    it('keeps one gate for a scorer', async () => {
      const { scorerGateStore } = opened.port;
      const facts = { health_score_type: null, updated_by: randomUUID(), updated_at: '2026-01-02T03:04:05.678Z' };
      const audit = { max_days: 30, probes: ['position' as const, 'injection' as const] };
      const gate = { scorer_id: randomUUID(), dataset_id: randomUUID(), margin: 0.05, audit, ...facts };
      const other = {
        ...gate,
        dataset_id: randomUUID(),
        margin: 0,
        health_score_type: 'mse' as const,
        audit: null,
        updated_by: null,
      };
      await scorerGateStore.put(gate);
      expect(await scorerGateStore.find(gate.scorer_id)).toStrictEqual(gate);
      await scorerGateStore.put(other);
      expect(await scorerGateStore.find(gate.scorer_id)).toStrictEqual(other);
      expect(await scorerGateStore.remove(gate.scorer_id)).toBe(true);
      expect(await scorerGateStore.remove(gate.scorer_id)).toBe(false);
      expect(await scorerGateStore.find(gate.scorer_id)).toBeUndefined();
    });
  });

  describe(`JudgeAuditStore, ${adapter}`, () => {
    const audit = (facts: Partial<StoredAudit> = {}): StoredAudit => ({
      id: randomUUID(),
      scorer_id: randomUUID(),
      scorer_version_id: randomUUID(),
      scorer_version_number: 2,
      status: 'running',
      message: null,
      plan: {
        probes: ['position', 'injection'],
        dataset: { id: randomUUID(), version_index: 3 },
        texts: 24,
        output_type: 'categorical',
        place: 'answer',
        model_family: null,
        ...{ questions: 3, calls: 9, models: [], estimated_cost: 0.1 + 0.2, unknown_because: null, max_cost: null },
      },
      report: null,
      created_by: randomUUID(),
      created_at: '2026-01-02T03:04:05.678Z',
      finished_at: null,
      ...facts,
    });
    const report: StoredAudit['report'] = {
      found: ['position'],
      probes: [
        {
          probe: 'position',
          verdict: 'biased',
          measure: 'label_place',
          effect: 0.25,
          interval: { low: 0.1, high: 0.4, level: 0.95 },
          rank_biserial: 1,
          pairs: 24,
          unusable_pairs: 0,
          p_value: 1 / 3,
          adjusted_p_value: 2 / 3,
          groups: [],
          changed: [{ case: 'parcel', before: 'a \u0000 b', after: ['\ud800', true, null] }],
        },
      ],
      ...{ questions: 3, unanswered: 0, input_tokens: 1, output_tokens: 2, cost: null },
    };
    const end = { status: 'completed', message: null, report, finished_at: '2026-01-02T04:00:00.000Z' } as const;

    it('keeps what was planned and found, whatever texts hold', async () => {
      const { judgeAuditStore } = opened.port;
      const own = audit();
      await judgeAuditStore.insert(own);
      expect(await judgeAuditStore.find(own.scorer_id, own.id)).toStrictEqual(own);
      expect(await judgeAuditStore.find(randomUUID(), own.id)).toBeUndefined();
      expect(await judgeAuditStore.end(own.id, end)).toBe(true);
      expect(await judgeAuditStore.find(own.scorer_id, own.id)).toStrictEqual({ ...own, ...end });
      const why = { ...end, status: 'failed', message: 'a \u0000 b', report: null } as const;
      expect(await judgeAuditStore.end(own.id, why)).toBe(false);
      expect(await judgeAuditStore.end(randomUUID(), why)).toBe(false);
      const other = audit();
      await judgeAuditStore.insert(other);
      await judgeAuditStore.end(other.id, why);
      expect(await judgeAuditStore.find(other.scorer_id, other.id)).toStrictEqual({ ...other, ...why });
    });

    it('has one running audit of a version, also of two at once', async () => {
      const { judgeAuditStore } = opened.port;
      const own = audit();
      const twin = { ...own, id: randomUUID() };
      const refusal = { kind: 'conflict', code: 'judge_audit_under_way' };
      await judgeAuditStore.insert(own);
      await expect(judgeAuditStore.insert(twin)).rejects.toMatchObject(refusal);
      await judgeAuditStore.insert({ ...twin, scorer_version_id: randomUUID() });
      await judgeAuditStore.end(own.id, end);
      const again = [1, 2, 3].map(() => judgeAuditStore.insert({ ...own, id: randomUUID() }));
      const settled = await Promise.allSettled(again);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('keeps the newest of a version, and lists them newest first', async () => {
      const { judgeAuditStore } = opened.port;
      const [scorer_id, scorer_version_id] = [randomUUID(), randomUUID()];
      const ids: string[] = [];
      for (let day = 1; day <= AUDITS_KEPT + 2; day += 1) {
        const one = audit({ scorer_id, scorer_version_id, created_at: `2026-02-0${day}T00:00:00.000Z` });
        await judgeAuditStore.insert(one);
        await judgeAuditStore.end(one.id, end);
        ids.unshift(one.id);
      }
      const other = audit({ scorer_id, created_at: '2025-01-01T00:00:00.000Z' });
      await judgeAuditStore.insert(other);
      const listed = async (version_id?: string) => (await judgeAuditStore.list(scorer_id, version_id)).map(({ id }) => id);
      expect(await listed(scorer_version_id)).toEqual(ids.slice(0, AUDITS_KEPT));
      expect(await listed()).toEqual([...ids.slice(0, AUDITS_KEPT), other.id]);
    });

    it('forgets those of a scorer, and of no other', async () => {
      const { judgeAuditStore } = opened.port;
      const [own, other] = [audit(), audit()];
      for (const one of [own, other]) await judgeAuditStore.insert(one);
      await judgeAuditStore.removeOfScorer(own.scorer_id);
      expect(await judgeAuditStore.list(own.scorer_id)).toEqual([]);
      expect(await judgeAuditStore.list(other.scorer_id)).toHaveLength(1);
    });
  });
}
