import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NewMaskingRule } from '../../../core/masking/masking-rule.ts';
import { newRun, type RecordStores } from '../traces/record-stores.ts';

const rule = (name: string) => NewMaskingRule.parse({ name, kind: 'email' });

export function maskingStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`MaskingStore, ${adapter}`, () => {
    let stores: RecordStores;
    beforeAll(async () => {
      stores = await open();
    });
    afterAll(() => stores.close());

    it('keeps the rules of projects apart, in their order, each list replaced as a whole', async () => {
      const [one, other] = [await newRun(stores), await newRun(stores)];
      expect(await stores.maskingStore.list(one.project_id)).toEqual([]);
      await stores.maskingStore.replace(one.project_id, [rule('b'), rule('a')]);
      expect(await stores.maskingStore.list(one.project_id)).toStrictEqual([rule('b'), rule('a')]);
      expect(await stores.maskingStore.list(other.project_id)).toEqual([]);
      await stores.maskingStore.replace(one.project_id, [rule('c')]);
      expect(await stores.maskingStore.list(one.project_id)).toStrictEqual([rule('c')]);
    });

    it('adds up counts by rule and day, also of those who add at the same time, and lists them between days', async () => {
      const { project_id } = await newRun(stores);
      const add = (day: string, counts: readonly (readonly [string, number])[]) =>
        stores.maskingStore.addCounts(project_id, day, new Map(counts));
      await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          add(
            '2026-11-22',
            at % 2
              ? [
                  ['a', 1],
                  ['b', 2],
                ]
              : [
                  ['b', 2],
                  ['a', 1],
                ],
          ),
        ),
      );
      await add('2026-11-23', [['a', 5]]);
      const first = [
        { rule: 'a', day: '2026-11-22', masked: 8 },
        { rule: 'b', day: '2026-11-22', masked: 16 },
      ];
      const second = { rule: 'a', day: '2026-11-23', masked: 5 };
      const list = (days: object) => stores.maskingStore.listCounts(project_id, days);
      expect(await list({})).toEqual([...first, second]);
      expect(await list({ until: '2026-11-22' })).toEqual(first);
      expect(await list({ from: '2026-11-23', until: '2026-11-23' })).toEqual([second]);
      expect(await stores.maskingStore.listCounts((await newRun(stores)).project_id, {})).toEqual([]);
    });
  });
}
