import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnnotationTemplate } from '../../../core/ratings/annotation-template.ts';
import type { Annotation, Feedback, RatingStore } from '../../../core/ratings/rating-store.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../traces/record-stores.ts';

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
      record = trace(run);
      await write(stores, [record]);
    });
    afterAll(() => stores.close());

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
