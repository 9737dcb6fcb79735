import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QUEUE_DEFAULTS, type StoredQueue } from '../../../core/annotation/annotation-queue.ts';
import type { AnnotationQueueStore } from '../../../core/annotation/annotation-queue-store.ts';
import { disputedScores } from '../../../core/annotation/disputed-scores.ts';
import type { ItemStatus, StoredAssignment } from '../../../core/annotation/queue-item.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../traces/record-stores.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();
const ALL = { offset: 0, limit: 100 };

/** The stores are opened once; every test works on a queue of its own. */
export function annotationQueueStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`AnnotationQueueStore, ${adapter}`, () => {
    let stores: RecordStores;
    let store: AnnotationQueueStore;
    let run: RunKey;
    let queue: StoredQueue;
    beforeAll(async () => {
      stores = await open();
      store = stores.annotationQueueStore;
    });
    beforeEach(async () => {
      run = await newRun(stores);
      queue = await newQueue();
    });
    afterAll(() => stores.close());

    const [ann, bob, eve] = [randomUUID(), randomUUID(), randomUUID()];
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    const newQueue = async (facts: Partial<StoredQueue> = {}): Promise<StoredQueue> => {
      const named = { id: randomUUID(), name: 'a queue', template_ids: [randomUUID()], created_by: null };
      const made = { ...QUEUE_DEFAULTS, ...run, ...named, created_at: at(0), ...facts };
      await store.insert(made);
      return made;
    };
    const add = (...ids: string[]) => store.addItems(run.project_id, queue.id, ids);
    const reserve = async (annotator_id: string, now = 0, role: 'annotator' | 'reviewer' = 'annotator') =>
      (await store.reserve(run.project_id, queue.id, { annotator_id, role, now: at(now), until: at(now + 30) }))?.record_id;
    const put = (record_id: string, annotator_id: string, facts: Partial<StoredAssignment> = {}) => {
      const answered = {
        role: 'annotator',
        status: 'answered',
        reserved_until: null,
        skip_reason: null,
        ended_at: at(1),
      } as const;
      return store.putAssignment(run.project_id, queue.id, record_id, { annotator_id, ...answered, ...facts });
    };
    const setStatus = (record_id: string, status: ItemStatus) => store.setStatus(run.project_id, queue.id, record_id, status);
    const found = () => store.find(run.project_id, queue.id);
    const items = (status?: ItemStatus, slice = ALL) => store.listItems(run.project_id, queue.id, status, slice);

    it('lists the queues of a project, the newest first, with how far they are', async () => {
      await add(one, two, three);
      await setStatus(one, 'done');
      await setStatus(two, 'skipped');
      const later = await newQueue({
        created_at: at(5),
        answers_required: 2,
        review: 'all',
        assignee_ids: [ann, bob],
        reviewer_ids: [eve],
      });
      const nothing = { num_pending: 0, num_in_review: 0, num_done: 0, num_skipped: 0 };
      const counted = { ...queue, ...nothing, num_pending: 1, num_done: 1, num_skipped: 1 };
      expect(await store.list(run.project_id)).toEqual([{ ...later, ...nothing }, counted]);
      await setStatus(three, 'review');
      expect(await found()).toMatchObject({ num_pending: 0, num_in_review: 1 });
      expect(await store.find(randomUUID(), queue.id)).toBeUndefined();
    });

    it('changes what a queue is set to', async () => {
      const changes = {
        name: 'another',
        assignee_ids: [ann],
        reviewer_ids: [bob],
        order_by: 'newest',
        reservation_seconds: 60,
      } as const;
      expect(await store.update(run.project_id, queue.id, { ...changes, assignee_ids: [ann], reviewer_ids: [bob] })).toBe(true);
      expect(await found()).toMatchObject(changes);
      expect(await store.update(randomUUID(), queue.id, { name: 'mine' })).toBe(false);
    });

    it('takes each record once', async () => {
      expect(await add(one, two, one)).toBe(2);
      expect(await add(two, three)).toBe(1);
      expect(await found()).toMatchObject({ num_pending: 3 });
    });

    it('reserves records in order, each for one annotator, who gets the same one again until it ends', async () => {
      await add(one, two);
      expect(await reserve(ann)).toBe(one);
      expect(await reserve(bob)).toBe(two);
      expect(await reserve(ann)).toBe(one);
      expect(await reserve(eve)).toBeUndefined();
      await put(one, ann);
      expect(await reserve(ann)).toBeUndefined();
    });

    it('reserves a record for somebody else once nobody came back in time', async () => {
      await add(one);
      expect(await reserve(ann, 0)).toBe(one);
      expect(await reserve(bob, 29)).toBeUndefined();
      expect(await reserve(bob, 31)).toBe(one);
      expect(await reserve(ann, 32)).toBeUndefined();
    });

    it('reserves a record for somebody else once it is released', async () => {
      await add(one);
      expect(await reserve(ann)).toBe(one);
      expect(await store.release(run.project_id, queue.id, one, bob)).toBe(false);
      expect(await store.release(run.project_id, queue.id, one, ann)).toBe(true);
      expect(await store.release(run.project_id, queue.id, one, ann)).toBe(false);
      expect(await reserve(bob)).toBe(one);
      await put(one, bob);
      expect(await store.release(run.project_id, queue.id, one, bob)).toBe(false);
    });

    it('reserves a record for as many annotators as it lacks answers, each of them once', async () => {
      queue = await newQueue({ answers_required: 2 });
      await add(one);
      expect([await reserve(ann), await reserve(bob), await reserve(eve)]).toEqual([one, one, undefined]);
      await put(one, ann, { status: 'skipped' });
      expect([await reserve(ann), await reserve(eve)]).toEqual([undefined, one]);
      await put(one, bob);
      await put(one, eve);
      expect(await reserve(randomUUID(), 40)).toBeUndefined();
    });

    it('reserves records in review for one reviewer each, and never for who answered them', async () => {
      await add(one, two);
      await put(one, ann);
      await setStatus(one, 'review');
      expect(await reserve(ann, 0, 'reviewer')).toBeUndefined();
      expect(await reserve(bob, 0, 'reviewer')).toBe(one);
      expect(await reserve(eve, 0, 'reviewer')).toBeUndefined();
      expect(await reserve(eve)).toBe(two);
    });

    it.each(['oldest', 'newest'] as const)('reserves the %s record first where that is the order', async (order_by) => {
      queue = await newQueue({ order_by });
      const times = [2, 1, 3].map((day) => trace(run, { created_at: `2026-01-0${day}T00:00:00.000Z` }));
      await write(stores, times);
      await add(...times.map(({ id }) => id), one);
      const expected = order_by === 'oldest' ? [1, 0, 2] : [2, 0, 1];
      for (const place of expected) expect(await reserve(randomUUID())).toBe(times[place]!.id);
      expect(await reserve(ann)).toBe(one);
    });

    it.each([1, 2])('reserves no record for more than %i annotators who ask at once', async (answers_required) => {
      queue = await newQueue({ answers_required });
      await add(...Array.from({ length: 3 }, () => randomUUID()));
      const reserved = await Promise.all(Array.from({ length: 12 }, () => reserve(randomUUID())));
      const counts = [...Map.groupBy(reserved, (id) => id)].flatMap(([id, { length }]) => (id === undefined ? [] : length));
      expect(counts).toEqual([answers_required, answers_required, answers_required]);
    });

    it('lets nobody reserve or end a record while a transaction holds the queue', async () => {
      await add(one);
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const { promise: held, resolve: hold } = Promise.withResolvers<void>();
      const first = stores.transactions.run(async () => {
        expect((await store.lockItem(run.project_id, queue.id, one))?.assignments).toEqual([]);
        hold();
        await gate;
        await put(one, ann);
      });
      await held;
      const second = reserve(bob);
      open();
      await first;
      expect(await second).toBeUndefined();
    });

    it('shows who has, answered and skipped a record, and why', async () => {
      await add(one, two, three);
      await reserve(bob);
      await put(one, ann, { status: 'skipped', skip_reason: 'in a foreign language' });
      const skipped = { status: 'skipped', reserved_until: null, skip_reason: 'in a foreign language', ended_at: at(1) };
      const reserved = { status: 'reserved', reserved_until: at(30), skip_reason: null, ended_at: null };
      const assignments = [
        { annotator_id: ann, role: 'annotator', ...skipped },
        { annotator_id: bob, role: 'annotator', ...reserved },
      ].sort((a, b) => (a.annotator_id < b.annotator_id ? -1 : 1));
      const item = { record_id: one, status: 'pending', judge_disagreement: null, assignments };
      expect(await store.lockItem(run.project_id, queue.id, one)).toEqual(item);
      expect(await store.lockItem(run.project_id, queue.id, randomUUID())).toBeUndefined();
      await setStatus(two, 'done');
      expect(await items()).toMatchObject([{ record_id: one }, { record_id: two }, { record_id: three }]);
      expect(await items('pending', { offset: 1, limit: 1 })).toMatchObject([{ record_id: three }]);
      expect(await items('done')).toEqual([{ record_id: two, status: 'done', judge_disagreement: null, assignments: [] }]);
    });

    it('keeps how far the judges of its scorer disagree, and hands those out first over which they do most', async () => {
      const scorer_id = randomUUID();
      const judge_disagreement = { scorer_id, above: 0.25 };
      queue = await newQueue({ order_by: 'judge_disagreement', judge_disagreement });
      const records = ['sure', 'split', 'unsure', 'unscored'].map((name) => trace(run, { name }));
      await write(stores, records);
      const [sure, split, unsure, unscored] = records.map(({ id }) => id) as [string, string, string, string];
      const facts = { ...run, scorer_version_id: randomUUID(), metric_name: 'm', status_type: 'success' as const, value: true };
      const said = { ...facts, explanation: null, message: null, judged: null, scored_at: at(0) };
      await stores.scoreStore.insert([
        { ...said, record_id: sure, scorer_id, effort: { agreement: 1 } },
        { ...said, record_id: split, scorer_id, effort: { agreement: 0.5 } },
        { ...said, record_id: unsure, scorer_id, effort: { agreement: 0.75 } },
        { ...said, record_id: unscored, scorer_id: randomUUID(), effort: { agreement: 0 } },
      ]);
      await add(unscored, sure, unsure, split);
      expect(await items()).toMatchObject([
        { record_id: unscored, judge_disagreement: null },
        { record_id: sure, judge_disagreement: 0 },
        { record_id: unsure, judge_disagreement: 0.25 },
        { record_id: split, judge_disagreement: 0.5 },
      ]);
      for (const next of [split, unsure, sure, unscored]) {
        expect(await reserve(ann)).toBe(next);
        await put(next, ann);
        await setStatus(next, 'done');
      }
      expect(await found()).toMatchObject({ judge_disagreement });
      expect(await store.listDisagreementRules(run.project_id, run.run_id)).toEqual([
        { queue_id: queue.id, ...judge_disagreement },
      ]);
      await store.update(run.project_id, queue.id, { judge_disagreement: { scorer_id, above: 1 } });
      expect(await store.listDisagreementRules(run.project_id, run.run_id)).toMatchObject([{ above: 1 }]);
      expect(await store.listDisagreementRules(run.project_id, randomUUID())).toEqual([]);
    });

    it('takes disputed records in with their scores, or neither', async () => {
      const scorer_id = randomUUID();
      queue = await newQueue({ judge_disagreement: { scorer_id, above: 0.25 } });
      const records = ['split', 'sure'].map((name) => trace(run, { name }));
      await write(stores, records);
      const [split, sure] = records.map(({ id }) => id) as [string, string];
      const facts = { ...run, scorer_id, scorer_version_id: randomUUID(), metric_name: 'm', status_type: 'success' as const };
      const said = { ...facts, value: true, explanation: null, message: null, judged: null, scored_at: at(0) };
      const scores = [
        { ...said, record_id: split, effort: { agreement: 0.5 } },
        { ...said, record_id: sure, effort: { agreement: 0.75 } },
      ];
      const scored = async () => (await stores.scoreStore.list(run.project_id, run.run_id, [split, sure])).length;
      const { transactions } = stores;
      const full = {
        listDisagreementRules: store.listDisagreementRules.bind(store),
        addItems: () => Promise.reject(new Error('full')),
      };
      const failing = disputedScores(stores.scoreStore, { annotationQueueStore: full, transactions });
      await expect(failing.insert(scores)).rejects.toThrow('full');
      expect([await scored(), await items()]).toEqual([0, []]);
      const counted = await disputedScores(stores.scoreStore, { annotationQueueStore: store, transactions }).insert(scores);
      expect([counted, await scored()]).toEqual([2, 2]);
      expect(await items()).toMatchObject([{ record_id: split, judge_disagreement: 0.5 }]);
    });

    it('counts the work of each annotator and the reasons for skipping', async () => {
      await add(one, two, three);
      await put(one, ann);
      await put(two, ann, { ended_at: at(3) });
      await put(one, bob, { status: 'skipped', skip_reason: 'unclear' });
      await put(two, bob, { status: 'skipped', skip_reason: 'unclear' });
      await put(three, bob, { status: 'skipped' });
      await put(one, eve, { role: 'reviewer' });
      await setStatus(one, 'done');
      await setStatus(two, 'done');
      expect(await reserve(eve, 0)).toBe(three);
      const none = { num_reserved: 0, num_answered: 0, num_skipped: 0, num_reviewed: 0, last_at: at(1) };
      const counts = [
        { ...none, annotator_id: ann, num_answered: 2, last_at: at(3) },
        { ...none, annotator_id: bob, num_skipped: 3 },
        { ...none, annotator_id: eve, num_reserved: 1, num_reviewed: 1 },
      ].sort((a, b) => (a.annotator_id < b.annotator_id ? -1 : 1));
      const skip_reasons = [
        { reason: 'unclear', count: 2 },
        { reason: null, count: 1 },
      ];
      expect(await store.countWork(run.project_id, queue.id, at(5), 10)).toEqual({ annotators: counts, skip_reasons });
      const later = await store.countWork(run.project_id, queue.id, at(31), 1);
      expect(later.annotators.every(({ num_reserved }) => num_reserved === 0)).toBe(true);
      expect(later.skip_reasons).toEqual(skip_reasons.slice(0, 1));
      const answered = await store.listAnswered(run.project_id, queue.id);
      expect(answered.map(({ record_id }) => record_id).sort()).toEqual([one, two].sort());
      expect(answered.every(({ annotator_id }) => annotator_id === ann)).toBe(true);
    });

    it('loses the items of records that are removed', async () => {
      const kept = trace(run);
      const gone = trace(run);
      await write(stores, [kept, gone]);
      await add(kept.id, gone.id);
      await put(gone.id, ann);
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [gone.id]);
      expect(await items()).toMatchObject([{ record_id: kept.id }]);
      expect(await store.listAnswered(run.project_id, queue.id)).toEqual([]);
      expect(await store.removeItem(run.project_id, queue.id, kept.id)).toBe(true);
      expect(await store.removeItem(run.project_id, queue.id, kept.id)).toBe(false);
      expect(await items()).toEqual([]);
    });

    it('goes with all its items', async () => {
      await add(one);
      await put(one, ann);
      expect(await store.remove(randomUUID(), queue.id)).toBe(false);
      expect(await store.remove(run.project_id, queue.id)).toBe(true);
      expect(await found()).toBeUndefined();
      expect(await reserve(ann)).toBeUndefined();
      expect(await store.listAnswered(run.project_id, queue.id)).toEqual([]);
    });
  });
}
