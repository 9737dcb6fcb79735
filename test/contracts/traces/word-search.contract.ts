import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../core/kernel/json.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { NEWEST_FIRST, RecordCount, toRecordCondition } from '../../../core/traces/record-query.ts';
import { newRun, type RecordStores, type RunKey, span, trace, write } from './record-stores.ts';

/** The stores are opened once; every test works in a run of its own. */
export function wordSearchContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`searching records by words, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const search = async (where: object, level: 'trace' | 'span' = 'trace') => {
      await stores.settle();
      const selection = { ...run, level, where: toRecordCondition(RecordCount.parse({ log_stream_id: run.run_id, ...where })) };
      const listing = { ...selection, sort: NEWEST_FIRST, starting_token: 0, limit: 100, after: undefined };
      const found = await stores.traceStore.list(listing);
      expect(await stores.traceStore.count(selection)).toBe(found.length);
      return found.map(({ name }) => name).sort();
    };
    const words = (value: string, level?: 'trace' | 'span') =>
      search({ filters: [{ type: 'text', column_id: 'words', operator: 'contains', value }] }, level);

    const refund = (): LogRecord =>
      trace(run, { name: 'refund', input: 'What is your REFUND-policy?', output: 'Thirty days.\nKeep the receipt, please.' });
    const weather = (): LogRecord => trace(run, { name: 'weather', input: 'Rain in São Paulo?', output: 'No rain.' });

    it('finds those that hold all words, in any order and case, wherever they stand', async () => {
      await write(stores, [refund(), weather()]);
      expect(await words('policy')).toEqual(['refund']);
      expect(await words('RECEIPT  refund')).toEqual(['refund']);
      expect(await words('são')).toEqual(['weather']);
      expect(await words('refund rain')).toEqual([]);
      expect(await words('poli')).toEqual([]);
      expect(await words('?!')).toEqual(['refund', 'weather']);
    });

    it('looks into messages and documents, not at their keys', async () => {
      const parent = refund();
      const messages = [{ role: 'user', content: 'a "quoted"\nline' }];
      const call = span(parent, { name: 'call', type: 'llm', input: messages, output: { role: 'assistant', content: 'done' } });
      await write(stores, [parent, call]);
      expect(await words('quoted line', 'span')).toEqual(['call']);
      expect(await words('nline', 'span')).toEqual([]);
      expect(await words('content', 'span')).toEqual([]);
    });

    it('of content blocks looks into their texts alone', async () => {
      const input: JsonObject[] = [
        { type: 'text', text: 'Is this the refund' },
        { type: 'image_url', image_url: { url: 'https://pictures.example/form' } },
        { type: 'text', text: 'form?' },
      ];
      await write(stores, [trace(run, { name: 'form', input, output: [{ type: 'text', text: 'Yes \ud83e it is.' }] })]);
      expect(await words('REFUND form yes')).toEqual(['form']);
      expect(await words('pictures')).toEqual([]);
      expect(await words('text')).toEqual([]);
    });

    it('follows a record that is changed', async () => {
      const record = refund();
      await write(stores, [record]);
      expect(await words('policy')).toEqual(['refund']);
      await write(stores, [{ ...record, input: 'something else' }]);
      expect(await words('policy')).toEqual([]);
      expect(await words('something')).toEqual(['refund']);
    });

    it('finds a few among many, whenever they came and whatever became of the others', async () => {
      const many = Array.from({ length: 700 }, (_, at) =>
        trace(run, { name: `n${at}`, input: `common word${at} ${at % 100 === 0 ? 'seldom' : 'often'}`, output: null }),
      );
      await write(stores, many.slice(0, 100));
      await stores.settle();
      await write(stores, many.slice(100));
      const seldom = ['n0', 'n100', 'n200', 'n300', 'n400', 'n500', 'n600'];
      expect(await words('word3')).toEqual(['n3']);
      expect(await words('word650')).toEqual(['n650']);
      expect(await words('seldom')).toEqual(seldom);
      expect(await words('common word99 often')).toEqual(['n99']);
      expect(await words('seldom often')).toEqual([]);
      expect(await words('wordless')).toEqual([]);
      await write(stores, [{ ...many[300]!, input: 'common no more' }]);
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [many[100]!.id]);
      expect(await words('seldom')).toEqual(seldom.filter((name) => name !== 'n100' && name !== 'n300'));
      expect(await words('common more')).toEqual(['n300']);
    });

    it('of traces finds those with a span that holds all the words', async () => {
      const [first, second] = [refund(), weather()];
      const call = span(first, { name: 'lookup', type: 'tool', input: 'invoice 4711', output: 'paid twice' });
      await write(stores, [first, call, second]);
      expect(await words('twice invoice')).toEqual(['refund']);
      expect(await words('twice invoice', 'span')).toEqual(['lookup']);
      expect(await words('receipt invoice')).toEqual([]);
      expect(await words('rain', 'span')).toEqual([]);
      const filter = { type: 'text', column_id: 'words', operator: 'contains', value: 'twice' };
      expect(await search({ filter_tree: { not: { filter } } })).toEqual(['weather']);
    });

    it('finds parts of words and phrases in any script by content', async () => {
      const content = (value: string, level?: 'trace' | 'span', more: object = {}) =>
        search({ filters: [{ type: 'text', column_id: 'content', operator: 'contains', value, ...more }] }, level);
      const [first, second] = [refund(), trace(run, { name: '退货', input: '我要退款，谢谢', output: 'Ваш Пароль: ***' })];
      const call = span(first, { name: 'call', type: 'llm', input: [{ role: 'user', content: 'My "passwords"\nare 100%' }] });
      await write(stores, [first, call, second]);
      expect(await content('退款')).toEqual(['退货']);
      expect(await content('паро', 'trace', { case_sensitive: false })).toEqual(['退货']);
      expect(await content('паро')).toEqual([]);
      expect(await content('passwor')).toEqual(['refund']);
      expect(await content('passwor', 'span')).toEqual(['call']);
      expect(await content('"passwords"\nare')).toEqual(['refund']);
      expect(await content('Keep the receipt')).toEqual(['refund']);
      expect(await content('receipt Keep')).toEqual([]);
      expect(await content('fund')).toEqual(['refund']);
      expect(await content('0%', 'span')).toEqual(['call']);
      expect(await content('_', 'span')).toEqual([]);
    });

    it('joins with other conditions', async () => {
      await write(stores, [refund(), weather()]);
      const rain = { filter: { type: 'text', column_id: 'words', operator: 'contains', value: 'rain' } };
      const named = { filter: { type: 'text', column_id: 'name', operator: 'eq', value: 'refund' } };
      expect(await search({ filter_tree: { not: rain } })).toEqual(['refund']);
      expect(await search({ filter_tree: { or: [rain, named] } })).toEqual(['refund', 'weather']);
      expect(await search({ filter_tree: { and: [rain, named] } })).toEqual([]);
    });

    it('is refused with another operator, and as a sort', () => {
      const filter = (more: object) =>
        RecordCount.parse({ log_stream_id: run.run_id, filters: [{ column_id: 'words', ...more }] });
      for (const more of [
        { type: 'text', operator: 'eq', value: 'x' },
        { type: 'text', column_id: 'content', operator: 'eq', value: 'x' },
        { type: 'number', operator: 'gt', value: 1 },
      ]) {
        expect(() => toRecordCondition(filter(more))).toThrow('not valid');
      }
    });
  });
}
