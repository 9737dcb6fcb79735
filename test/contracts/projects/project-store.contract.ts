import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NEWEST_PROJECTS_FIRST, ProjectSearch, type StoredProject } from '../../../core/projects/project.ts';
import type { ProjectStore } from '../../../core/projects/project-store.ts';
import { NEWEST_RUNS_FIRST, type Run } from '../../../core/projects/run.ts';
import type { Opened } from '../opened.ts';

const CREATOR = '11111111-1111-4111-8111-111111111111';
const EARLY = '2026-01-02T03:04:05.678Z';
const LATE = '2026-01-02T03:04:05.678901Z';

function project(facts: Partial<StoredProject> = {}): StoredProject {
  const id = facts.id ?? randomUUID();
  const times = { created_at: EARLY, updated_at: LATE };
  const type = { type: 'gen_ai', type_is_default: false } as const;
  return { id, name: `project ${id}`, ...type, created_by: CREATOR, description: null, labels: [], ...times, ...facts };
}

function run(facts: Partial<Run> & { project_id: string }): Run {
  const id = facts.id ?? randomUUID();
  const rest = { created_by: CREATOR, has_user_created_sessions: false, created_at: EARLY, updated_at: LATE };
  return { id, kind: 'log_stream', name: `run ${id}`, ...rest, ...facts };
}

export function projectStoreContract(adapter: string, open: () => Promise<Opened<ProjectStore>>): void {
  describe(`ProjectStore, ${adapter}`, () => {
    let opened: Opened<ProjectStore>;
    let store: ProjectStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.port;
    });
    afterEach(() => opened.close());

    projects(() => store);
    projectLists(() => store);
    runs(() => store);
  });
}

function projects(store: () => ProjectStore): void {
  it('finds a project as it was stored', async () => {
    const stored = project({ name: 'päper % _ \\ 🦜', description: 'two\nlines', labels: ['sample', 'b'] });
    await store().insertProject(stored);
    expect(await store().findProject(stored.id)).toStrictEqual(stored);
    expect(await store().holdProject(stored.id)).toStrictEqual(stored);
    expect(await store().findProjectByName('gen_ai', stored.name)).toStrictEqual(stored);
  });

  it('returns undefined for an unknown project', async () => {
    await store().insertProject(project({ name: 'one' }));
    expect(await store().findProject(randomUUID())).toBeUndefined();
    expect(await store().holdProject(randomUUID())).toBeUndefined();
    expect(await store().findProjectByName('gen_ai', 'other')).toBeUndefined();
    expect(await store().findProjectByName('llm_monitor', 'one')).toBeUndefined();
    expect(await store().findProjectByName('gen_ai', 'ONE')).toBeUndefined();
  });

  it('hands out copies and keeps copies', async () => {
    const given = project({ labels: ['kept'] });
    await store().insertProject(given);
    given.labels.push('changed outside');
    (await store().findProject(given.id))!.labels.push('changed outside');
    expect((await store().findProject(given.id))!.labels).toStrictEqual(['kept']);
  });

  it('refuses a taken id and a name taken within the type', async () => {
    const first = project({ name: 'same' });
    await store().insertProject(first);
    await expect(store().insertProject(project({ id: first.id }))).rejects.toMatchObject({ kind: 'conflict' });
    await expect(store().insertProject(project({ name: 'same' }))).rejects.toMatchObject({ kind: 'conflict' });
    await store().insertProject(project({ name: 'same', type: 'llm_monitor' }));
    expect(await store().countProjects([])).toBe(2);
  });

  it('lets one of several simultaneous inserts of a name win', async () => {
    const attempts = Array.from({ length: 5 }, () => store().insertProject(project({ name: 'raced' })));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store().countProjects([])).toBe(1);
  });

  it('changes the given fields and no others', async () => {
    const stored = project({ description: 'old', labels: ['a'] });
    await store().insertProject(stored);
    const changes = { name: 'new', labels: ['b', 'c'], updated_at: '2026-05-05T05:05:05.000Z' };
    expect(await store().updateProject(stored.id, changes)).toStrictEqual({ ...stored, ...changes });
    expect(await store().findProject(stored.id)).toStrictEqual({ ...stored, ...changes });
    const emptied = await store().updateProject(stored.id, { description: null, updated_at: LATE });
    expect(emptied!.description).toBeNull();
  });

  it('refuses to rename to a taken name, and changes nothing then', async () => {
    const [first, second] = [project({ name: 'first' }), project({ name: 'second' })];
    await store().insertProject(first);
    await store().insertProject(second);
    const rename = store().updateProject(second.id, { name: 'first', updated_at: EARLY });
    await expect(rename).rejects.toMatchObject({ kind: 'conflict' });
    expect(await store().findProject(second.id)).toStrictEqual(second);
    expect(await store().updateProject(first.id, { name: 'first', updated_at: LATE })).toBeDefined();
  });

  it('returns undefined when an unknown project is changed', async () => {
    expect(await store().updateProject(randomUUID(), { name: 'x', updated_at: LATE })).toBeUndefined();
  });

  it('removes a project with its runs, and nothing of others', async () => {
    const [gone, kept] = [project(), project()];
    const [goneRun, keptRun] = [run({ project_id: gone.id }), run({ project_id: kept.id })];
    for (const one of [gone, kept]) await store().insertProject(one);
    for (const one of [goneRun, keptRun]) await store().insertRun(one);
    expect(await store().removeProject(gone.id)).toBe(true);
    expect(await store().findProject(gone.id)).toBeUndefined();
    expect(await store().findRun(gone.id, 'log_stream', goneRun.id)).toBeUndefined();
    expect(await store().findProject(kept.id)).toStrictEqual(kept);
    expect(await store().findRun(kept.id, 'log_stream', keptRun.id)).toStrictEqual(keptRun);
    expect(await store().removeProject(gone.id)).toBe(false);
  });
}

function projectLists(store: () => ProjectStore): void {
  const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
  const search = (body: unknown) => {
    const { filters, sort } = ProjectSearch.parse(body);
    return store().listProjects(filters, sort);
  };

  it('lists newest first, to the microsecond, ties by id', async () => {
    await store().insertProject(project({ id: '22222222-2222-4222-8222-222222222222', name: 'b', created_at: EARLY }));
    await store().insertProject(project({ id: '21111111-2222-4222-8222-222222222222', name: 'a', created_at: EARLY }));
    await store().insertProject(project({ name: 'c', created_at: LATE }));
    expect(names(await store().listProjects([], NEWEST_PROJECTS_FIRST))).toEqual(['c', 'a', 'b']);
  });

  it('cuts slices that neither overlap nor leave gaps', async () => {
    for (let number = 0; number < 7; number += 1) await store().insertProject(project());
    const all = await store().listProjects([], { name: 'type', ascending: false });
    const part = async (offset: number) => store().listProjects([], { name: 'type', ascending: false }, { offset, limit: 3 });
    expect([...(await part(0)), ...(await part(3)), ...(await part(6))]).toStrictEqual(all);
    expect(await part(7)).toEqual([]);
  });

  it('orders names by code point', async () => {
    for (const name of ['b', 'A', 'a', 'ä', 'B', '_', '\u{1f99c}', '\uff5e']) await store().insertProject(project({ name }));
    const sort = { name: 'name', sort_type: 'column' };
    const ordered = ['A', 'B', '_', 'a', 'b', 'ä', '\uff5e', '\u{1f99c}'];
    expect(names(await search({ sort }))).toEqual(ordered);
    expect(names(await search({ sort: { ...sort, ascending: false } }))).toEqual(ordered.toReversed());
  });

  it('takes wildcards in a filter as they are', async () => {
    for (const name of ['50% off', '500 off', 'a_b', 'axb', 'c\\d']) await store().insertProject(project({ name }));
    const containing = (value: string) => search({ filters: [{ name: 'name', operator: 'contains', value }] });
    expect(names(await containing('0%'))).toEqual(['50% off']);
    expect(names(await containing('a_'))).toEqual(['a_b']);
    expect(names(await containing('\\'))).toEqual(['c\\d']);
    expect(await containing('')).toHaveLength(5);
  });

  it('folds case only when asked, in every alphabet', async () => {
    for (const name of ['Straße', 'ÉCOLE', 'ΣΑΣ']) await store().insertProject(project({ name }));
    const named = (value: string, case_sensitive?: boolean | null) =>
      search({ filters: [{ name: 'name', operator: 'eq', value, case_sensitive }] });
    expect(await named('école', null)).toEqual([]);
    expect(names(await named('école', false))).toEqual(['ÉCOLE']);
    expect(names(await named('STRAßE', false))).toEqual(['Straße']);
    expect(names(await named('σας', false))).toEqual(['ΣΑΣ']);
  });

  it('knows what an empty list means', async () => {
    await store().insertProject(project());
    const having = (filter: object) => search({ filters: [{ ...filter, value: [] }] });
    for (const name of ['id', 'name', 'type', 'creator']) {
      expect(await having({ name, operator: 'one_of' })).toHaveLength(0);
      expect(await having({ name, operator: 'not_in' })).toHaveLength(1);
    }
  });

  it('counts runs of all kinds for the filter and the sort by runs', async () => {
    const [none, two] = [project({ name: 'none' }), project({ name: 'two' })];
    for (const one of [none, two]) await store().insertProject(one);
    await store().insertRun(run({ project_id: two.id }));
    await store().insertRun(run({ project_id: two.id, kind: 'experiment' }));
    const having = (operator: string, value: unknown) => search({ filters: [{ name: 'runs', operator, value }] });
    expect(names(await having('eq', 2))).toEqual(['two']);
    expect(names(await having('between', [0, 1.5]))).toEqual(['none']);
    expect(names(await search({ sort: { name: 'runs', ascending: false, sort_type: 'custom' } }))).toEqual(['two', 'none']);
    expect(
      await store().countProjects(ProjectSearch.parse({ filters: [{ name: 'runs', operator: 'gt', value: 1 }] }).filters),
    ).toBe(1);
  });

  it('finds no project bookmarked', async () => {
    await store().insertProject(project());
    expect(await search({ filters: [{ name: 'bookmark', value: true }] })).toHaveLength(0);
    expect(await search({ filters: [{ name: 'bookmark', value: false }], sort: { name: 'bookmark' } })).toHaveLength(1);
  });

  it('joins filters by and', async () => {
    await store().insertProject(project({ name: 'same' }));
    await store().insertProject(project({ name: 'same', type: 'guardrail' }));
    const filters = [
      { name: 'type', operator: 'eq', value: 'guardrail' },
      { name: 'name', operator: 'eq', value: 'same' },
    ];
    expect(await search({ filters })).toMatchObject([{ type: 'guardrail' }]);
  });
}

function runs(store: () => ProjectStore): void {
  const project_id = randomUUID();

  it('finds a run as it was stored', async () => {
    const stored = run({ project_id, name: 'default', has_user_created_sessions: true, created_by: null });
    await store().insertRun(stored);
    expect(await store().findRun(project_id, 'log_stream', stored.id)).toStrictEqual(stored);
    expect(await store().findRunByName(project_id, 'log_stream', 'default')).toStrictEqual(stored);
    expect(await store().listRuns(project_id, 'log_stream', [], NEWEST_RUNS_FIRST)).toStrictEqual([stored]);
  });

  it('finds runs of an id in whatever project they are', async () => {
    const [one, other] = [project(), project()];
    for (const each of [one, other]) await store().insertProject(each);
    const id = randomUUID();
    const stored = [run({ project_id: one.id, id }), run({ project_id: other.id, id })];
    for (const each of [...stored, run({ project_id: one.id })]) await store().insertRun(each);
    const found = await store().findRuns('log_stream', id);
    expect(new Set(found)).toEqual(new Set(stored));
  });

  it('lists the newest runs of several projects, so many of each', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const made = [EARLY, LATE].flatMap((created_at, at) => [
      run({ project_id: one, name: `one ${at}`, created_at }),
      run({ project_id: other, name: `other ${at}`, created_at }),
    ]);
    for (const each of [...made, run({ project_id: other, kind: 'experiment' })]) await store().insertRun(each);
    const listed = (ids: string[], each: number) => store().listNewestRuns(ids, 'log_stream', each);
    expect((await listed([other, one, randomUUID()], 5)).map(({ name }) => name)).toEqual([
      'other 1',
      'other 0',
      'one 1',
      'one 0',
    ]);
    expect((await listed([one, other], 1)).map(({ name }) => name)).toEqual(['one 1', 'other 1']);
    expect((await listed([one], 1))[0]).toStrictEqual(made[2]);
    expect(await listed([], 5)).toEqual([]);
  });

  it('keeps projects and kinds apart', async () => {
    const stored = run({ project_id, name: 'default' });
    await store().insertRun(stored);
    const elsewhere = randomUUID();
    expect(await store().findRun(elsewhere, 'log_stream', stored.id)).toBeUndefined();
    expect(await store().findRun(project_id, 'experiment', stored.id)).toBeUndefined();
    expect(await store().findRunByName(elsewhere, 'log_stream', 'default')).toBeUndefined();
    expect(await store().findRunByName(project_id, 'experiment', 'default')).toBeUndefined();
    expect(await store().listRuns(elsewhere, 'log_stream', [], NEWEST_RUNS_FIRST)).toEqual([]);
    expect(await store().findRuns('experiment', stored.id)).toEqual([]);
    expect(await store().findRuns('log_stream', randomUUID())).toEqual([]);
    expect(await store().listRuns(project_id, 'experiment', [], NEWEST_RUNS_FIRST)).toEqual([]);
    const changes = { name: 'x', updated_at: LATE };
    expect(await store().updateRun(project_id, 'experiment', stored.id, changes)).toBeUndefined();
    expect(await store().updateRun(elsewhere, 'log_stream', stored.id, changes)).toBeUndefined();
    expect(await store().removeRun(project_id, 'experiment', stored.id)).toBe(false);
    expect(await store().removeRun(elsewhere, 'log_stream', stored.id)).toBe(false);
    expect(await store().findRun(project_id, 'log_stream', stored.id)).toStrictEqual(stored);
  });

  it('refuses a taken id and a name taken within project and kind', async () => {
    const first = run({ project_id, name: 'same' });
    await store().insertRun(first);
    await expect(store().insertRun(run({ project_id, id: first.id }))).rejects.toMatchObject({ kind: 'conflict' });
    await expect(store().insertRun(run({ project_id, name: 'same' }))).rejects.toMatchObject({ kind: 'conflict' });
    await store().insertRun(run({ project_id, name: 'same', kind: 'experiment' }));
    await store().insertRun(run({ project_id: randomUUID(), name: 'same' }));
  });

  it('renames a run, but not to a taken name', async () => {
    const [first, second] = [run({ project_id, name: 'first' }), run({ project_id, name: 'second' })];
    for (const one of [first, second]) await store().insertRun(one);
    const changes = { name: 'renamed', updated_at: '2026-05-05T05:05:05.000Z' };
    expect(await store().updateRun(project_id, 'log_stream', first.id, changes)).toStrictEqual({ ...first, ...changes });
    const taken = store().updateRun(project_id, 'log_stream', second.id, { ...changes, name: 'renamed' });
    await expect(taken).rejects.toMatchObject({ kind: 'conflict' });
    expect(await store().findRun(project_id, 'log_stream', second.id)).toStrictEqual(second);
  });

  it('filters, sorts and cuts runs', async () => {
    for (const name of ['c', 'a', 'b']) await store().insertRun(run({ project_id, name }));
    const filters = [
      { family: 'string', name: 'name', operator: 'not_in', values: ['b'], case_sensitive: true },
      { family: 'id', name: 'created_by', operator: 'eq', values: [CREATOR] },
      { family: 'date', name: 'created_at', operator: 'lte', value: EARLY },
    ] as const;
    const sort = { name: 'name', ascending: true } as const;
    const listed = await store().listRuns(project_id, 'log_stream', structuredClone(filters) as never, sort);
    expect(listed.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(await store().listRuns(project_id, 'log_stream', [], sort, { offset: 1, limit: 1 })).toMatchObject([{ name: 'b' }]);
  });

  it('removes a run once', async () => {
    const stored = run({ project_id });
    await store().insertRun(stored);
    expect(await store().removeRun(project_id, 'log_stream', stored.id)).toBe(true);
    expect(await store().removeRun(project_id, 'log_stream', stored.id)).toBe(false);
    expect(await store().findRun(project_id, 'log_stream', stored.id)).toBeUndefined();
  });
}
