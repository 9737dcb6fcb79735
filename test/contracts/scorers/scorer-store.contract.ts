import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ScorerRecord, ScorerVersionRecord } from '../../../core/scorers/scorer.ts';
import type { ScorerListFilter } from '../../../core/scorers/scorer-query.ts';
import type { ScorerStore } from '../../../core/scorers/scorer-store.ts';
import type { Opened } from '../opened.ts';

const CREATOR = '11111111-1111-4111-8111-111111111111';
const EARLY = '2026-01-02T03:04:05.678Z';
const LATE = '2026-01-02T03:04:05.678901Z';
const NASTY = 'NUL \0 half \ud83e private \uf8ff \u{1f99c}';

function scorer(facts: Partial<ScorerRecord> = {}): ScorerRecord {
  const id = facts.id ?? randomUUID();
  return {
    id,
    name: `scorer ${id}`,
    label: `label of ${id}`,
    scorer_type: 'code',
    description: '',
    tags: [],
    defaults: null,
    model_type: null,
    ground_truth: null,
    default_version_id: null,
    user_prompt: null,
    scoreable_node_types: null,
    output_type: null,
    input_type: null,
    required_scorers: null,
    multimodal_capabilities: null,
    roll_up_method: null,
    deprecated: false,
    created_by: null,
    created_at: EARLY,
    updated_at: LATE,
    ...facts,
  };
}

function version(scorer_id: string, facts: Partial<ScorerVersionRecord> = {}): Omit<ScorerVersionRecord, 'version'> {
  return {
    id: randomUUID(),
    scorer_id,
    kind: 'registered',
    definition: { language: 'javascript', source: 'function scorer() { return 1 }' },
    model_name: null,
    num_judges: null,
    calibration: null,
    scoreable_node_types: null,
    cot_enabled: null,
    output_type: null,
    input_type: null,
    created_by: null,
    created_at: EARLY,
    updated_at: LATE,
    ...facts,
  };
}

export function scorerStoreContract(adapter: string, open: () => Promise<Opened<ScorerStore>>): void {
  describe(`ScorerStore, ${adapter}`, () => {
    let opened: Opened<ScorerStore>;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    scorers(() => opened.port);
    lists(() => opened.port);
    versions(() => opened.port);
  });
}

function scorers(store: () => ScorerStore): void {
  it('gives back what was stored', async () => {
    const full = scorer({
      name: 'é %_\\ \u{1f99c}',
      scorer_type: 'llm',
      description: 'two\nlines',
      tags: ['b', 'a', ''],
      defaults: { model_name: 'm', num_judges: 3, [NASTY]: { [NASTY]: [NASTY] } },
      model_type: 'llm',
      ground_truth: false,
      default_version_id: randomUUID(),
      user_prompt: NASTY,
      scoreable_node_types: ['llm', 'trace'],
      output_type: 'boolean',
      input_type: 'basic',
      required_scorers: ['correctness'],
      multimodal_capabilities: ['vision'],
      roll_up_method: 'average',
      deprecated: true,
      created_by: CREATOR,
    });
    const empty = scorer({ tags: [], scoreable_node_types: [], required_scorers: [], defaults: {} });
    const none = scorer();
    for (const one of [full, empty, none]) {
      await store().insert(one);
      expect(await store().find(one.id)).toStrictEqual(one);
    }
    const found = await store().findMany([none.id, full.id, randomUUID(), none.id]);
    expect(new Set(found)).toEqual(new Set([full, none]));
    expect(await store().findMany([])).toEqual([]);
    expect(await store().find(randomUUID())).toBeUndefined();
  });

  it('refuses a taken id and a name taken within the type', async () => {
    const first = scorer({ name: 'same' });
    await store().insert(first);
    for (const taken of [scorer({ name: 'same' }), scorer({ id: first.id })]) {
      await expect(store().insert(taken)).rejects.toMatchObject({ kind: 'conflict', code: 'scorer_exists' });
    }
    await store().insert(scorer({ name: 'same', scorer_type: 'llm' }));
    await store().insert(scorer({ name: 'SAME' }));
    expect(await store().find(first.id)).toStrictEqual(first);
  });

  it('lets one of several with the same name win', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => store().insert(scorer({ name: 'raced' }))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('changes what is named and nothing else', async () => {
    const one = scorer({ user_prompt: 'old', tags: ['old'] });
    await store().insert(one);
    const updated_at = '2026-05-05T05:05:05.000Z';
    const first = { default_version_id: randomUUID(), updated_at };
    expect(await store().update(one.id, first)).toStrictEqual({ ...one, ...first });
    const second = {
      name: 'new',
      tags: ['a', 'b'],
      defaults: { model_name: 'm', [NASTY]: NASTY },
      user_prompt: NASTY,
      scoreable_node_types: [],
      required_scorers: ['other'],
      multimodal_capabilities: ['audio'],
      ground_truth: true,
      updated_at,
    };
    expect(await store().update(one.id, second)).toStrictEqual({ ...one, ...first, ...second });
    expect(await store().find(one.id)).toStrictEqual({ ...one, ...first, ...second });
    expect(await store().update(randomUUID(), first)).toBeUndefined();
  });

  it('refuses a change to a name that is taken within the type', async () => {
    const [one, other] = [scorer({ name: 'one' }), scorer({ name: 'other' })];
    for (const each of [one, other, scorer({ name: 'free', scorer_type: 'llm' })]) await store().insert(each);
    const change = (name: string) => store().update(other.id, { name, updated_at: LATE });
    await expect(change('one')).rejects.toMatchObject({ kind: 'conflict', code: 'scorer_exists' });
    expect(await change('other')).toMatchObject({ name: 'other' });
    expect(await change('free')).toMatchObject({ name: 'free' });
  });

  it('removes a scorer with its versions and no other', async () => {
    const [one, other] = [scorer(), scorer()];
    for (const each of [one, other]) await store().insert(each);
    const [gone, kept] = [await store().insertVersion(version(one.id)), await store().insertVersion(version(other.id))];
    expect(await store().remove(one.id)).toBe(true);
    expect(await store().remove(one.id)).toBe(false);
    expect(await store().find(one.id)).toBeUndefined();
    expect(await store().findVersion(gone.id)).toBeUndefined();
    expect(await store().findVersion(kept.id)).toStrictEqual(kept);
    await store().insert(scorer({ name: one.name }));
  });

  it('keeps copies and hands out copies', async () => {
    const one = scorer({ tags: ['kept'] });
    await store().insert(one);
    (one.tags as string[]).push('changed');
    ((await store().find(one.id))!.tags as string[]).push('changed');
    expect((await store().find(one.id))!.tags).toEqual(['kept']);
  });
}

function lists(store: () => ScorerStore): void {
  const ALL = { starting_token: 0, limit: 100 };
  const list = async (...filters: ScorerListFilter[]) =>
    (await store().list(filters, { name: 'name', ascending: true }, ALL)).map(({ name }) => name);

  beforeEach(async () => {
    await store().insert(
      scorer({ id: CREATOR, name: 'Ann', label: 'n', tags: ['red', 'blue'], model_type: 'code', created_by: CREATOR }),
    );
    await store().insert(
      scorer({ name: 'bob', label: 'in', scorer_type: 'llm', tags: ['Red'], model_type: 'llm', created_at: LATE }),
    );
    await store().insert(scorer({ name: '\u{1f99c}', tags: [] }));
    await store().insert(scorer({ name: '\uff5e', tags: ['blue'] }));
  });

  it('orders by name, by code point, in either direction', async () => {
    const names = ['Ann', 'bob', '\uff5e', '\u{1f99c}'];
    expect(await list()).toEqual(names);
    const down = await store().list([], { name: 'name', ascending: false }, ALL);
    expect(down.map(({ name }) => name)).toEqual(names.toReversed());
  });

  it('orders by whether they are among the enabled, then by name', async () => {
    const enabled = [CREATOR, randomUUID()];
    const order = async (ascending: boolean) =>
      (await store().list([], { name: 'enabled_in_run', ascending, enabled }, ALL)).map(({ name }) => name);
    expect(await order(false)).toEqual(['Ann', 'bob', '\uff5e', '\u{1f99c}']);
    expect(await order(true)).toEqual(['bob', '\uff5e', '\u{1f99c}', 'Ann']);
    const none = await store().list([], { name: 'enabled_in_run', ascending: true, enabled: [] }, ALL);
    expect(none.map(({ name }) => name)).toEqual(['Ann', 'bob', '\uff5e', '\u{1f99c}']);
  });

  it('tells every tag once, by code point', async () => {
    expect(await store().tags()).toEqual(['Red', 'blue', 'red']);
    await store().insert(scorer({ tags: ['\u{1f99c}', 'blue', '\uff5e'] }));
    expect(await store().tags()).toEqual(['Red', 'blue', 'red', '\uff5e', '\u{1f99c}']);
  });

  it('reads one row more than the page asks for', async () => {
    const page = async (starting_token: number, limit: number) =>
      (await store().list([], { name: 'name', ascending: true }, { starting_token, limit })).map(({ name }) => name);
    expect(await page(0, 2)).toEqual(['Ann', 'bob', '\uff5e']);
    expect(await page(2, 2)).toEqual(['\uff5e', '\u{1f99c}']);
    expect(await page(4, 2)).toEqual([]);
  });

  const text = { case_sensitive: true } as const;
  it.each<[ScorerListFilter, string[]]>([
    [{ family: 'id', name: 'id', operator: 'eq', values: [CREATOR] }, ['Ann']],
    [{ family: 'string', name: 'name', operator: 'one_of', values: ['bob', 'Ann', 'x'], ...text }, ['Ann', 'bob']],
    [{ family: 'string', name: 'name', operator: 'eq', values: ['BOB'], case_sensitive: false }, ['bob']],
    [{ family: 'string', name: 'label', operator: 'contains', values: ['n'], ...text }, ['Ann', 'bob']],
    [{ family: 'enum', name: 'scorer_type', operator: 'eq', values: ['llm'] }, ['bob']],
    [{ family: 'enum', name: 'model_type', operator: 'ne', values: ['code'] }, ['bob', '\uff5e', '\u{1f99c}']],
    [{ family: 'id', name: 'creator', operator: 'eq', values: [CREATOR] }, ['Ann']],
    [{ family: 'id', name: 'creator', operator: 'not_in', values: [CREATOR] }, ['bob', '\uff5e', '\u{1f99c}']],
    [{ family: 'date', name: 'created_at', operator: 'gt', value: EARLY }, ['bob']],
    [{ family: 'date', name: 'updated_at', operator: 'lte', value: EARLY }, []],
    [{ family: 'collection', name: 'tags', operator: 'contains', values: ['blue'], ...text }, ['Ann', '\uff5e']],
    [{ family: 'collection', name: 'tags', operator: 'eq', values: ['red'], case_sensitive: false }, ['bob']],
    [{ family: 'collection', name: 'tags', operator: 'not_in', values: ['blue', 'Red'], ...text }, ['\u{1f99c}']],
  ])('filters by %j', async (filter, expected) => {
    expect(await list(filter)).toEqual(expected);
  });

  it('joins filters by and', async () => {
    const tagged: ScorerListFilter = { family: 'collection', name: 'tags', operator: 'contains', values: ['blue'], ...text };
    expect(await list(tagged, { family: 'string', name: 'name', operator: 'eq', values: ['Ann'], ...text })).toEqual(['Ann']);
    expect(await list(tagged, { family: 'string', name: 'name', operator: 'eq', values: ['bob'], ...text })).toEqual([]);
  });
}

function versions(store: () => ScorerStore): void {
  it('numbers versions by scorer and finds them by id, by number and as the latest', async () => {
    const [one, other, bare] = [scorer(), scorer(), scorer()];
    for (const each of [one, other, bare]) await store().insert(each);
    const definition = { language: 'typescript', source: NASTY, nested: { [NASTY]: NASTY } };
    const facts = {
      definition,
      scoreable_node_types: ['llm'],
      cot_enabled: true,
      num_judges: 2,
      created_by: CREATOR,
      model_name: 'm',
      calibration: {
        mapping: { method: 'isotonic' as const, points: [{ score: 0.1, rate: 0.30000000000000004 }] },
        ...{ of_version_id: randomUUID(), project_id: randomUUID(), run_id: randomUUID(), positive_label: NASTY },
        ...{ rows: 20, ece: 0.1, mapped_ece: 1e-9 },
      },
    };
    const first = await store().insertVersion(version(one.id, facts));
    const second = await store().insertVersion(version(one.id));
    const others = await store().insertVersion(version(other.id));
    expect(first).toMatchObject({ ...facts, version: 1 });
    expect([second.version, others.version]).toEqual([2, 1]);
    expect(await store().findVersion(first.id)).toStrictEqual(first);
    expect(await store().findVersionOf(one.id, 1)).toStrictEqual(first);
    expect(await store().findVersionOf(one.id)).toStrictEqual(second);
    const latest = await store().latestVersions([one.id, other.id, bare.id, randomUUID()]);
    expect(new Set(latest)).toEqual(new Set([second, others]));
  });

  it('lists versions from the newest down, page by page, or some of them', async () => {
    const [one, other] = [scorer(), scorer()];
    for (const each of [one, other]) await store().insert(each);
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await store().insertVersion(version(one.id))).id);
    const foreign = (await store().insertVersion(version(other.id))).id;
    const numbers = async (offset: number, limit: number, some?: string[]) =>
      (await store().listVersions(one.id, { offset, limit }, some)).map((each) => each.version);
    expect(await numbers(0, 10)).toEqual([4, 3, 2, 1]);
    expect(await numbers(1, 2)).toEqual([3, 2]);
    expect(await numbers(0, 10, [ids[1]!, ids[3]!, foreign, randomUUID()])).toEqual([4, 2]);
    expect(await numbers(0, 10, [])).toEqual([]);
  });

  it('returns undefined for what is not there', async () => {
    const one = scorer();
    await store().insert(one);
    expect(await store().findVersion(randomUUID())).toBeUndefined();
    expect(await store().findVersionOf(one.id)).toBeUndefined();
    expect(await store().findVersionOf(one.id, 1)).toBeUndefined();
    expect(await store().findVersionOf(randomUUID(), 1)).toBeUndefined();
    expect(await store().latestVersions([])).toEqual([]);
  });

  it('refuses a version of an unknown scorer', async () => {
    await expect(store().insertVersion(version(randomUUID()))).rejects.toMatchObject({ code: 'scorer_not_found' });
  });

  it('gives every one of several versions at once a number of its own', async () => {
    const one = scorer();
    await store().insert(one);
    const added = await Promise.all(Array.from({ length: 6 }, () => store().insertVersion(version(one.id))));
    expect(added.map((each) => each.version).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await store().findVersionOf(one.id))!.version).toBe(6);
  });
}
