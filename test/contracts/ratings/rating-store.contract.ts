import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnnotationTemplate } from '../../../core/ratings/annotation-template.ts';
import type { Annotation, Feedback, RatingStore } from '../../../core/ratings/rating-store.ts';
import { computeTruth, TRUTH_RULES, type TruthRule } from '../../../core/ratings/truth.ts';
import type { RunWindow } from '../../../core/traces/columns/column-store.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import {
  NEWEST_FIRST,
  RecordCount,
  type RecordListing,
  type RecordSelection,
  toRecordCondition,
} from '../../../core/traces/record-query.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../traces/record-stores.ts';
import { session, toListing } from '../traces/sessions.ts';

const at = (second: number): string => `2026-01-02T03:04:${String(second).padStart(2, '0')}.000Z`;
const DIFFICULT = 'a\0b\ud800\uf8ff';

/** The stores are opened once; every test works in a run of its own. */
export function ratingStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`RatingStore, ${adapter}`, () => {
    let stores: RecordStores;
    let store: RatingStore;
    let run: RunKey;
    let record: LogRecord;
    beforeAll(async () => {
      stores = await open();
      store = stores.ratingStore;
    });
    beforeEach(async () => {
      run = await newRun(stores);
      window = { ...run, start_time: undefined, end_time: undefined };
      record = trace(run);
      await write(stores, [record]);
    });
    afterAll(() => stores.close());

    const selection = (filter?: object): RecordSelection => {
      const filters = filter ? [{ column_id: 'feedback/feedback', ...filter }] : [];
      return { ...run, level: 'trace', where: toRecordCondition(RecordCount.parse({ filters })) };
    };
    const list = async (asked: RecordSelection, sort: RecordListing['sort']): Promise<string[]> => {
      const found = await stores.traceStore.list({ ...asked, sort, starting_token: 0, limit: 10, after: undefined });
      return found.map(({ id }) => id);
    };
    const found = async (filter: object) => (await list(selection(filter), NEWEST_FIRST)).sort();
    const ordered = (column_id: string) => list(selection(), { column_id, ascending: true });
    let window: RunWindow;
    const feedback = (facts: Partial<Feedback> = {}): Feedback => ({
      ...run,
      record_id: record.id,
      name: 'feedback',
      feedback_type: 'star',
      value: 4,
      explanation: null,
      rated_at: at(1),
      ...facts,
    });
    const template = async (facts: Partial<AnnotationTemplate> = {}): Promise<AnnotationTemplate> => {
      const made: AnnotationTemplate = {
        id: randomUUID(),
        project_id: run.project_id,
        name: randomUUID(),
        annotation_type: 'tags',
        instructions: DIFFICULT,
        choices: ['good', 'bad'],
        min: 0,
        max: 100,
        truth_rule: TRUTH_RULES[facts.annotation_type ?? 'tags'][0],
        created_by: null,
        created_at: at(0),
        updated_at: at(0),
        ...facts,
      };
      await store.insertTemplate(made);
      return made;
    };
    const annotation = (template_id: string, facts: Partial<Annotation> = {}): Annotation => ({
      ...run,
      record_id: record.id,
      template_id,
      annotator_id: randomUUID(),
      value: ['good'],
      explanation: null,
      rated_at: at(1),
      ...facts,
    });
    const ratings = () => store.list(run.project_id, run.run_id, [record.id]);

    it('keeps feedback by name, the last word of each, with whatever characters it holds', async () => {
      expect(await store.putFeedback(feedback())).toBe(true);
      const last = feedback({ feedback_type: 'text', value: DIFFICULT, explanation: DIFFICULT, rated_at: at(2) });
      await store.putFeedback(last);
      const other = feedback({ name: 'another', feedback_type: 'like_dislike', value: true, rated_at: at(3) });
      await store.putFeedback(other);
      expect(await ratings()).toEqual({ feedback: [last, other], annotations: [] });
      expect(await store.list(run.project_id, randomUUID(), [record.id])).toEqual({ feedback: [], annotations: [] });
      expect(await store.removeFeedback(last, 'feedback')).toBe(true);
      expect(await store.removeFeedback(last, 'feedback')).toBe(false);
      expect((await ratings()).feedback).toEqual([other]);
    });

    it('keeps the last answer of each annotator to each template', async () => {
      const { id } = await template();
      const first = annotation(id, { rated_at: at(2) });
      const changed = { ...first, value: ['bad'], rated_at: at(5) };
      const another = annotation(id, { rated_at: at(3) });
      for (const one of [first, another, changed]) expect(await store.putAnnotation(one)).toBe(true);
      expect((await ratings()).annotations).toEqual([another, changed]);
      expect(await store.removeAnnotation(first, id, first.annotator_id)).toBe(true);
      expect((await ratings()).annotations).toEqual([another]);
    });

    it('lists all answers about the records of runs', async () => {
      const { id } = await template();
      const answers = [annotation(id), annotation(id, { rated_at: at(2) })];
      for (const one of answers) await store.putAnnotation(one);
      expect(await store.listByRuns(run.project_id, [run.run_id, randomUUID()])).toEqual(answers);
      expect(await store.listByRuns(run.project_id, [randomUUID()])).toEqual([]);
      expect(await store.listByRuns(randomUUID(), [run.run_id])).toEqual([]);
    });

    it('rates nothing that is not there', async () => {
      const { id } = await template();
      expect(await store.putFeedback(feedback({ record_id: randomUUID() }))).toBe(false);
      expect(await store.putFeedback(feedback({ run_id: randomUUID() }))).toBe(false);
      expect(await store.putAnnotation(annotation(id, { record_id: randomUUID() }))).toBe(false);
      expect(await store.putAnnotation(annotation(randomUUID()))).toBe(false);
    });

    it('loses ratings with their record, and does not give them to a record that comes again', async () => {
      const { id } = await template();
      await store.putFeedback(feedback());
      await store.putAnnotation(annotation(id));
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [record.id]);
      expect(await ratings()).toEqual({ feedback: [], annotations: [] });
      await write(stores, [record]);
      expect(await ratings()).toEqual({ feedback: [], annotations: [] });
    });

    it('keeps templates of a project by name, each name once', async () => {
      const [b, a] = [await template({ name: 'b' }), await template({ name: 'a' })];
      expect(await store.listTemplates(run.project_id)).toEqual([a, b]);
      expect(await store.findTemplate(run.project_id, a.id)).toEqual(a);
      expect(await store.findTemplate(randomUUID(), a.id)).toBeUndefined();
      await expect(template({ name: 'a' })).rejects.toMatchObject({ code: 'annotation_template_exists' });
      const changes = { name: 'c', choices: ['one'], updated_at: at(9) };
      expect(await store.updateTemplate(run.project_id, a.id, changes)).toEqual({ ...a, ...changes });
      await expect(store.updateTemplate(run.project_id, a.id, { name: 'b' })).rejects.toMatchObject({ kind: 'conflict' });
      expect(await store.updateTemplate(randomUUID(), a.id, changes)).toBeUndefined();
    });

    it('makes columns of ratings, which records are filtered, ordered and counted by', async () => {
      const others = [2, 5].map((value) => ({ value, record: trace(run) }));
      await write(
        stores,
        others.map((one) => one.record),
      );
      for (const { value, record } of others) await store.putFeedback(feedback({ record_id: record.id, value }));
      const [two, five] = others.map((one) => one.record.id);
      expect(await found({ type: 'number', operator: 'lt', value: 4 })).toEqual([two]);
      expect(await found({ type: 'number', operator: 'ne', value: 2 })).toEqual([record.id, five].sort());
      expect(await found({ type: 'text', operator: 'one_of', value: ['5', '9'] })).toEqual([five]);
      expect(await ordered('feedback/feedback')).toEqual([two, five, record.id]);
      await store.putFeedback(feedback({ value: 3 }));
      expect(await ordered('feedback/feedback')).toEqual([two, record.id, five]);
      const facet = await stores.traceStore.facet(selection(), 'feedback/feedback', 5);
      expect(facet).toEqual(['2', '3', '5'].map((value) => ({ value, count: 1 })));
      expect(await stores.columnStore.rated(window, 'records')).toEqual([
        { column_id: 'feedback/feedback', rating_type: 'star', is_filled: true },
      ]);
      const later = { ...window, start_time: '2999-01-01T00:00:00Z' };
      expect(await stores.columnStore.rated(later, 'records')).toMatchObject([{ is_filled: false }]);
    });

    it.each<[AnnotationTemplate['annotation_type'], TruthRule, Annotation['value'][]]>([
      ['like_dislike', 'majority', [true, false, true]],
      ['like_dislike', 'majority', [true, false]],
      ['star', 'median', [1, 5, 4, 5]],
      ['star', 'majority', [5, 1, 1]],
      ['score', 'mean', [1, 2, 2]],
      ['tags', 'majority', [['b', 'a'], ['a'], ['b', 'a', 'c']]],
      ['tags', 'majority', [['a', 'a'], ['b']]],
      ['text', 'first', ['second', 'first']],
      ['text', 'majority', [DIFFICULT, 'x', DIFFICULT]],
    ])(
      'makes one value of answers of type %s by the rule %s, as the core does: %o',
      async (annotation_type, truth_rule, values) => {
        const { id } = await template({ annotation_type, truth_rule });
        for (const [place, value] of values.entries()) await store.putAnnotation(annotation(id, { value, rated_at: at(place) }));
        const truth = computeTruth(annotation_type, truth_rule, values);
        const texts = truth === undefined ? [] : [truth].flat().map(String);
        const facet = await stores.traceStore.facet(selection(), `annotations/${id}`, 5);
        expect(facet.map(({ value }) => value)).toEqual(texts);
        expect(await stores.columnStore.rated(window, 'records')).toEqual([
          { column_id: `annotations/${id}`, rating_type: annotation_type, is_filled: true },
        ]);
      },
    );

    it('makes the value of the last decision alone, whatever others answer', async () => {
      const { id } = await template({ annotation_type: 'star', truth_rule: 'mean' });
      const value = async () => (await stores.traceStore.facet(selection(), `annotations/${id}`, 5)).map((one) => one.value);
      for (const stars of [1, 5]) await store.putAnnotation(annotation(id, { value: stars, rated_at: at(stars) }));
      expect(await value()).toEqual(['3']);
      const decision = annotation(id, { value: 4, rated_at: at(6), is_decision: true });
      await store.putAnnotation(decision);
      await store.putAnnotation(annotation(id, { value: 2, rated_at: at(8) }));
      expect(await value()).toEqual(['4']);
      expect((await ratings()).annotations).toContainEqual(decision);
      await store.putAnnotation(annotation(id, { value: 1, rated_at: at(7), is_decision: true }));
      expect(await value()).toEqual(['1']);
      await store.putAnnotation({ ...annotation(id), annotator_id: decision.annotator_id, rated_at: at(9), value: 5 });
      expect(await value()).toEqual(['1']);
    });

    it('is drawn by the column, a moment after a rating is given, changed, taken back, or comes to something else', async () => {
      const { id } = await template({ annotation_type: 'star', truth_rule: 'mean' });
      const drawn = async (name: string): Promise<number[]> => {
        await stores.settle();
        const buckets = { ...run, from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z', minutes: null };
        const [found] = await stores.seriesStore.fromHours(buckets, [{ name, types: undefined, detail: 'sums', by_type: false }]);
        return found!.filter(({ count }) => count > 0).map(({ sum }) => sum);
      };
      await store.putFeedback(feedback({ feedback_type: 'like_dislike', value: true }));
      expect(await drawn('feedback/feedback')).toEqual([1]);
      await store.putFeedback(feedback({ value: 3 }));
      expect(await drawn('feedback/feedback')).toEqual([3]);
      await store.removeFeedback(feedback(), 'feedback');
      expect(await drawn('feedback/feedback')).toEqual([]);
      for (const value of [1, 4]) await store.putAnnotation(annotation(id, { value, rated_at: at(value) }));
      expect(await drawn(`annotations/${id}`)).toEqual([2.5]);
      await store.updateTemplate(run.project_id, id, { truth_rule: 'first' });
      expect(await drawn(`annotations/${id}`)).toEqual([1]);
      await store.removeTemplate(run.project_id, id);
      expect(await drawn(`annotations/${id}`)).toEqual([]);
    });

    it('rates sessions, which are filtered and ordered by it, and lose it', async () => {
      const sessions = [session(run), session(run)];
      const [a, b] = sessions.map(({ id }) => id);
      for (const one of sessions) await stores.sessionStore.findOrInsert(one, true);
      for (const [place, id] of [b, a].entries())
        expect(await store.putFeedback(feedback({ record_id: id!, value: place }))).toBe(true);
      const column_id = 'feedback/feedback';
      const all = await stores.sessionStore.list(toListing(run, { sort: { column_id, ascending: true } }));
      expect(all.map(({ id }) => id)).toEqual([b, a, record.id]);
      const filters = [{ type: 'number', column_id, operator: 'gte', value: 1 }];
      const behind = toListing(run, { sort: { column_id, ascending: true }, previous_last_row_id: b! });
      expect((await stores.sessionStore.list(behind)).map(({ id }) => id)).toEqual([a, record.id]);
      const high = toListing(run, { filters });
      expect((await stores.sessionStore.list(high)).map(({ id }) => id)).toEqual([a]);
      expect(await stores.columnStore.rated(window, 'sessions')).toMatchObject([{ column_id, is_filled: true }]);
      expect(await stores.columnStore.rated(window, 'records')).toEqual([]);
      await stores.sessionStore.remove(high);
      expect((await store.list(run.project_id, run.run_id, [a!, b!])).feedback.map(({ record_id }) => record_id)).toEqual([b]);
    });

    it('loses answers with their template', async () => {
      const { id } = await template();
      await store.putAnnotation(annotation(id));
      expect(await store.removeTemplate(randomUUID(), id)).toBe(false);
      expect(await store.removeTemplate(run.project_id, id)).toBe(true);
      expect((await ratings()).annotations).toEqual([]);
      expect(await store.removeTemplate(run.project_id, id)).toBe(false);
    });
  });
}
