import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AlertTransition, atFirst, FORMER_DEFAULTS, type StoredAlert } from '../../../core/trends/alert.ts';
import { KEPT_HISTORY } from '../../../core/trends/alert-store.ts';
import { newDelivery } from '../../../core/trends/webhook.ts';
import { newRun, type RecordStores, type RunKey } from '../traces/record-stores.ts';

const NOW = '2026-01-02T03:04:05.678Z';
const NASTY = 'half \ud83e private \uf8ff \u{1f99c}';
const ALL = { offset: 0, limit: 100 };
const sealed = (key_id: string) => ({ key_id, key: `key ${randomUUID()}`, fields: [{ path: ['webhook_secret'], text: 'v1.x' }] });

/** The stores are opened once; every test works in a run of its own. */
export function alertStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`AlertStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const toAlert = (name: string, created_at = NOW): StoredAlert => ({
      ...run,
      id: randomUUID(),
      settings: {
        name,
        widget_id: randomUUID(),
        series_index: 0,
        interval: 'hour',
        operator: 'above',
        threshold: 1.5,
        for_buckets: 1,
        no_data_buckets: null,
        ...FORMER_DEFAULTS,
        channel: 'webhook',
        channel_settings: { url: 'https://example.org/' },
        is_enabled: true,
        created_by: randomUUID(),
        created_at,
        updated_at: NOW,
      },
      progress: atFirst(NOW),
    });
    const inserted = async (name = 'one', created_at?: string) => {
      const alert = toAlert(name, created_at);
      await stores.alertStore.insert(alert, sealed('one'));
      return alert;
    };

    it('finds what was inserted, within its project, and lists it by age', async () => {
      const newer = await inserted(NASTY, '2026-01-02T03:04:05.679Z');
      const older = await inserted('older');
      expect(await stores.alertStore.find(run.project_id, newer.id)).toStrictEqual(newer);
      expect(await stores.alertStore.find(randomUUID(), newer.id)).toBeUndefined();
      expect(await stores.alertStore.list(run.project_id, run.run_id)).toStrictEqual([older, newer]);
      expect(await stores.alertStore.list(run.project_id, randomUUID())).toEqual([]);
    });

    it('changes what people settle and leaves what was found, unless that is to begin anew', async () => {
      const alert = await inserted();
      const { project_id, id, settings } = alert;
      const progress = { ...atFirst(NOW), state: 'firing' as const, evaluated_until: NOW };
      await stores.alertStore.advance(alert, progress);
      const changed = { ...settings, name: 'changed' };
      expect(await stores.alertStore.update(project_id, id, changed)).toMatchObject({ settings: changed, progress });
      expect(await stores.alertStore.update(project_id, id, settings, atFirst(NOW))).toMatchObject({ progress: atFirst(NOW) });
      expect(await stores.alertStore.update(project_id, randomUUID(), settings)).toBeUndefined();
    });

    it('takes an evaluation once, whoever comes first, and only of the alert as it is', async () => {
      const alert = await inserted();
      const until = (evaluated_until: string) => ({ ...atFirst(NOW), evaluated_until });
      const [four, five] = [until('2026-01-02T04:00:00.000Z'), until('2026-01-02T05:00:00.000Z')];
      const both = await Promise.all([four, four].map((progress) => stores.alertStore.advance(alert, progress)));
      expect(both.toSorted()).toEqual([false, true]);
      expect(await stores.alertStore.advance(alert, five)).toBe(false);
      expect(await stores.alertStore.advance({ ...alert, progress: four }, five)).toBe(true);
      const { project_id, id, settings } = alert;
      const known = (await stores.alertStore.find(project_id, id))!;
      expect(known.progress).toEqual(five);
      await stores.alertStore.update(project_id, id, { ...settings, updated_at: '2026-01-02T06:00:00.000Z' });
      expect(await stores.alertStore.advance(known, four)).toBe(false);
    });

    it('keeps secrets beside alerts and finds those of other keys', async () => {
      const { project_id, id } = await inserted();
      const before = (await stores.alertStore.findSecrets(project_id, id))!;
      expect(before).toMatchObject({ key_id: 'one', fields: [{ path: ['webhook_secret'], text: 'v1.x' }] });
      expect(await stores.alertStore.findSecrets(randomUUID(), id)).toBeUndefined();
      const idsOfOthers = async () => (await stores.alertStore.listOfOtherKeys('two', 1000)).map((one) => one.id);
      expect(await idsOfOthers()).toContain(id);
      await stores.alertStore.replaceSecrets(id, { ...before, key: 'another' }, sealed('two'));
      expect(await stores.alertStore.findSecrets(project_id, id)).toEqual(before);
      await stores.alertStore.replaceSecrets(id, before, sealed('two'));
      expect(await idsOfOthers()).not.toContain(id);
      expect(await stores.alertStore.keyIds()).toContain('two');
      const kept = (await stores.alertStore.findSecrets(project_id, id))!;
      const read: unknown[] = [];
      const change = (key_id: string) => (given: typeof kept) => {
        read.push(given);
        return sealed(key_id);
      };
      await stores.alertStore.changeSecrets(randomUUID(), id, change('four'));
      expect(read).toEqual([]);
      await stores.alertStore.changeSecrets(project_id, id, change('three'));
      expect(read).toEqual([kept]);
      expect(await stores.alertStore.findSecrets(project_id, id)).toMatchObject({ key_id: 'three' });
    });

    it('keeps transitions and deliveries, the newest first', async () => {
      const alert = await inserted();
      const { project_id, id } = alert;
      const transition = (at: string): AlertTransition => {
        const bucket = { bucket_start: NOW, bucket_end: NOW, value: 2 };
        return { id: randomUUID(), alert_id: id, from: 'ok', to: 'firing', at, ...bucket };
      };
      const [old, young] = [transition('2026-01-02T04:00:00.000Z'), transition('2026-01-02T05:00:00.000Z')];
      for (const one of [old, young]) await stores.alertStore.insertTransition(alert, one);
      expect(await stores.alertStore.listTransitions(project_id, id, ALL)).toEqual([young, old]);
      expect(await stores.alertStore.listTransitions(project_id, id, { offset: 1, limit: 1 })).toEqual([old]);
      const delivery = newDelivery(randomUUID(), id, { type: 'alert.firing', timestamp: NOW, data: { name: NASTY } });
      await stores.alertStore.insertDelivery(alert, delivery);
      expect(await stores.alertStore.findDelivery(project_id, delivery.id)).toEqual(delivery);
      const sent = { ...delivery, status: 'delivered' as const, attempts: 1, response_status: 204 };
      await stores.alertStore.updateDelivery(project_id, sent);
      expect(await stores.alertStore.listDeliveries(project_id, id, ALL)).toEqual([sent]);
      expect(await stores.alertStore.listDeliveries(randomUUID(), id, ALL)).toEqual([]);
    });

    it('keeps the newest of the history of each alert', async () => {
      const [alert, other] = [await inserted(), await inserted()];
      const at = (second: number) => new Date(Date.parse(NOW) + second * 1000).toISOString();
      const change = { from: 'ok', to: 'firing', bucket_start: NOW, bucket_end: NOW, value: 2 } as const;
      const toDelivery = ({ id }: StoredAlert, second: number) =>
        newDelivery(randomUUID(), id, { type: 'alert.test', timestamp: at(second), data: {} });
      await stores.alertStore.insertDelivery(other, toDelivery(other, 0));
      for (let second = 0; second <= KEPT_HISTORY; second += 1) {
        await stores.alertStore.insertTransition(alert, { ...change, id: randomUUID(), alert_id: alert.id, at: at(second) });
        await stores.alertStore.insertDelivery(alert, toDelivery(alert, second));
      }
      const wide = { offset: 0, limit: 2 * KEPT_HISTORY };
      const transitions = await stores.alertStore.listTransitions(run.project_id, alert.id, wide);
      expect([transitions.length, transitions[0]!.at, transitions.at(-1)!.at]).toEqual([KEPT_HISTORY, at(KEPT_HISTORY), at(1)]);
      expect(await stores.alertStore.listDeliveries(run.project_id, alert.id, wide)).toHaveLength(KEPT_HISTORY);
      expect(await stores.alertStore.listDeliveries(run.project_id, other.id, wide)).toHaveLength(1);
    });

    it('removes an alert with all that belongs to it', async () => {
      const alert = await inserted();
      const { project_id, id } = alert;
      await stores.alertStore.insertDelivery(
        alert,
        newDelivery(randomUUID(), id, { type: 'alert.test', timestamp: NOW, data: {} }),
      );
      expect(await stores.alertStore.remove(project_id, id)).toBe(true);
      expect(await stores.alertStore.remove(project_id, id)).toBe(false);
      expect(await stores.alertStore.find(project_id, id)).toBeUndefined();
      expect(await stores.alertStore.listDeliveries(project_id, id, ALL)).toEqual([]);
      expect(await stores.alertStore.findSecrets(project_id, id)).toBeUndefined();
    });
  });

  describe(`WorkList, ${adapter}`, () => {
    let stores: RecordStores;
    beforeAll(async () => {
      stores = await open();
    });
    afterAll(() => stores.close());
    const work = (id = randomUUID()) => ({ kind: 'alert', project_id: randomUUID(), id }) as const;
    const at = (minute: number) => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`;
    const claim = (minute: number, until = 59) => stores.workList.claim('alert', at(minute), at(until));

    it('hands out what is due, the longest first, to one at a time', async () => {
      const [first, second] = [work(), work()];
      await stores.workList.put(second, at(11));
      await stores.workList.put(first, at(10));
      await stores.workList.put({ ...first, kind: 'webhook' }, at(10));
      expect(await claim(9)).toBeUndefined();
      expect(await claim(10)).toEqual(first);
      const both = await Promise.all([claim(12), claim(12), claim(12)]);
      expect(both.filter((one) => one !== undefined)).toEqual([second]);
      expect(await claim(58)).toBeUndefined();
      expect(await claim(59)).toBeDefined();
      for (const one of [first, second]) await stores.workList.remove(one);
      await stores.workList.remove(first);
      expect(await claim(59)).toBeUndefined();
    });

    it('tells which projects have something due, the longest waiting first, and hands out of one of them', async () => {
      const [first, second, later] = [work(), work(), work()];
      const more = { ...work(), project_id: first.project_id };
      await stores.workList.put(second, at(11));
      await stores.workList.put(first, at(10));
      await stores.workList.put(more, at(12));
      await stores.workList.put(later, at(30));
      await stores.workList.put({ ...later, kind: 'webhook' }, at(10));
      const { workList } = stores;
      expect(await workList.dueProjects('alert', at(9))).toEqual([]);
      expect(await workList.dueProjects('alert', at(20))).toEqual([first.project_id, second.project_id]);
      expect(await workList.claim('alert', at(20), at(59), second.project_id)).toEqual(second);
      expect(await workList.claim('alert', at(20), at(59), second.project_id)).toBeUndefined();
      expect(await workList.claim('alert', at(20), at(59), first.project_id)).toEqual(first);
      expect(await workList.dueProjects('alert', at(20))).toEqual([first.project_id]);
      expect(await workList.claim('alert', at(20), at(59), first.project_id)).toEqual(more);
      expect(await workList.claim('alert', at(20), at(59), later.project_id)).toBeUndefined();
      for (const one of [first, second, more, later]) await workList.remove(one);
    });

    it('knows a piece by what it is, and takes the last word on when', async () => {
      const piece = work();
      await stores.workList.put(piece, at(10));
      await stores.workList.put(piece, at(20));
      expect(await claim(15)).toBeUndefined();
      expect(await claim(20, 21)).toEqual(piece);
      expect(await claim(21, 22)).toEqual(piece);
      await stores.workList.remove(piece);
    });
  });
}
