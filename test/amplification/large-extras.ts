import { randomUUID } from 'node:crypto';
import { QUEUE_DEFAULTS } from '../../core/annotation/annotation-queue.ts';
import { MAX_BOOKMARKS } from '../../core/bookmarks/bookmark.ts';
import { MAX_COMMENTS } from '../../core/comments/comment.ts';
import { DIMENSION_NAMES, type Dimension } from '../../core/otel/metrics/kept-metrics.ts';
import { MAX_SERIES } from '../../core/otel/metrics/metric-intake.ts';
import { MAX_LABELS } from '../../core/prompts/template-label.ts';
import { MAX_VIEWS, ViewState } from '../../core/saved-views/saved-view.ts';
import type { LogRecord } from '../../core/traces/record.ts';
import { type FixtureServer, now } from '../access/fixture-object.ts';
import { makeUser } from '../access/fixtures/account-fixtures.ts';
import { makeGroupRow, putMember } from '../access/fixtures/group-fixtures.ts';
import type { Ids } from '../access/row.ts';
import { shareWith } from '../access/sharing.ts';

/** The project that more than records is added to. */
export interface Place {
  readonly fixtureServer: FixtureServer;
  readonly ids: Ids;
  /** The share of a bound that is wanted, at least 1. */
  of(bound: number): number;
}

const HOUR_MS = 3_600_000;
const QUEUES = 100;
const ANNOTATORS = 20;
const ANSWERS = 3;
const VERSIONS = 1_000;
/** Of a prompt, which may have no more than this in one message. */
const PROMPT_CHARS = 1_000_000;
const MEMBERS = 2_000;
const GROUPS = 500;
const WIDGETS = 200;
const ALERTS = 100;
const SERIES_HOURS = 24;

const numbered = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** Comments on one record, bookmarks on all, and saved views. */
export async function addRemarks({ fixtureServer, ids, of }: Place, records: readonly LogRecord[]): Promise<void> {
  const { commentStore, bookmarkStore, savedViewStore } = fixtureServer.server.cradle;
  const { project_id, log_stream_id: run_id } = ids;
  const made = { project_id, created_by: fixtureServer.host_id, created_at: now(), updated_at: now() };
  for (const at of numbered(of(MAX_COMMENTS), (one) => one)) {
    const text = `comment ${at} `.padEnd(5_000, 'x');
    await commentStore.insert({ ...made, id: randomUUID(), run_id, record_id: records[0]!.id, text }, MAX_COMMENTS);
  }
  for (const { id: record_id } of records.slice(0, of(MAX_BOOKMARKS))) {
    const mark = { project_id, run_id, record_id, user_id: fixtureServer.host_id, is_shared: true, created_at: now() };
    await bookmarkStore.put(mark, MAX_BOOKMARKS);
  }
  for (const at of numbered(of(MAX_VIEWS), (one) => one)) {
    const state = ViewState.parse({ record_type: 'trace', columns: numbered(50, (column) => `column ${column}`) });
    await savedViewStore.insert({ ...made, id: randomUUID(), name: `view ${at}`, is_shared: true, state }, MAX_VIEWS);
  }
}

/** Many queues, one of which holds all of the records, answered by many people. Returns its id. */
export async function addQueues({ fixtureServer, ids, of }: Place, records: readonly LogRecord[]): Promise<string> {
  const { annotationQueueStore, ratingStore } = fixtureServer.server.cradle;
  const { project_id, log_stream_id: run_id } = ids;
  const template_ids = (await ratingStore.listTemplates(project_id)).map(({ id }) => id).slice(0, 5);
  const made = { ...QUEUE_DEFAULTS, project_id, run_id, template_ids, created_by: null, created_at: now() };
  const queues = numbered(of(QUEUES), (at) => ({ ...made, id: randomUUID(), name: `queue ${at}`, answers_required: ANSWERS }));
  for (const queue of queues) await annotationQueueStore.insert(queue);
  const { id } = queues[0]!;
  await annotationQueueStore.addItems(
    project_id,
    id,
    records.map((record) => record.id),
  );
  const people = numbered(ANNOTATORS, () => randomUUID());
  const ended = { status: 'answered', role: 'annotator', reserved_until: null, skip_reason: null } as const;
  for (const [at, { id: record_id }] of records.entries()) {
    for (const annotator_id of numbered(ANSWERS, (part) => people[(at + part) % people.length]!)) {
      const assignment = { ...ended, annotator_id, ended_at: now() };
      await annotationQueueStore.putAssignment(project_id, id, record_id, assignment);
      const rating = { project_id, run_id, record_id, annotator_id, explanation: null, rated_at: now() };
      for (const template_id of template_ids) await ratingStore.putAnnotation({ ...rating, template_id, value: (at % 5) + 1 });
    }
    await annotationQueueStore.setStatus(project_id, id, record_id, 'done');
  }
  return id;
}

/** A prompt that the reader sees, with labels and many versions, the newest two of which are long. Returns the ids of all that. */
export async function addPrompt({ fixtureServer, ids, of }: Place, reader_id: string): Promise<Partial<Ids>> {
  const { templateStore, transactions } = fixtureServer.server.cradle;
  const id = randomUUID();
  const created_by = fixtureServer.host_id;
  const facts = {
    template_id: id,
    created_by,
    created_at: now(),
    raw: false,
    settings: {},
    output_type: null,
    commit_message: null,
  };
  const changes = { model_changed: false, settings_changed: false, content_changed: true };
  const version = (at: number, template: string) => ({ ...facts, ...changes, id: randomUUID(), version: at, template });
  const times = { created_at: now(), updated_at: now() };
  await templateStore.insert({ id, name: `prompt ${id}`, hidden: false, created_by, ...times }, version(1, 'Answer {{input}}.'));
  const last = of(VERSIONS) + 2;
  for (const at of numbered(last - 3, (one) => one + 2))
    await templateStore.insertVersion(version(at, `Answer {{input}} ${at}.`));
  const lines = (word: string): string =>
    numbered(PROMPT_CHARS / 20, (at) => `${word} ${at % 2 ? at : 'same'}`.padEnd(19))
      .join('\n')
      .slice(0, of(PROMPT_CHARS));
  await templateStore.insertVersion(version(last - 1, lines('before')));
  await templateStore.insertVersion(version(last, lines('after')));
  for (const at of numbered(of(MAX_LABELS), (one) => one))
    await transactions.run(async () => {
      await templateStore.hold(id);
      const move = {
        template_id: id,
        label: at === 0 ? `${last - 1}` : `label-${at}`,
        from_version: null,
        to_version: 1,
        moved_by: created_by,
        moved_at: now(),
      };
      await templateStore.moveLabel(move);
    });
  await templateStore.use(id, ids.project_id);
  await shareWith(fixtureServer.server, { kind: 'template', id }, reader_id, 'viewer');
  return { template_id: id, version_index: `${last - 1}`, other_version_index: `${last}` };
}

/** As many series of metrics as a project may have, over a day. */
export async function addMetricSeries({ fixtureServer, ids, of }: Place): Promise<void> {
  const { metricSeriesStore } = fixtureServer.server.cradle;
  const run = { project_id: ids.project_id, run_id: ids.log_stream_id };
  const dimensions = Object.fromEntries(DIMENSION_NAMES.map((name) => [name, name])) as Record<Dimension, string>;
  const series = numbered(of(MAX_SERIES), (at) => ({
    ...dimensions,
    model: `model ${at}`,
    id: randomUUID(),
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    kind: 'histogram' as const,
  }));
  const sketch = Object.fromEntries(numbered(50, (at) => [String(at), 1]));
  const begin = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  for (const back of numbered(of(SERIES_HOURS), (one) => one)) {
    const hour = new Date(begin - back * HOUR_MS).toISOString();
    const hours = series.map(({ id }) => ({ series_id: id, hour, count: 50, sum: 50, min: 0, max: 10, sketch }));
    await metricSeriesStore.update(run, { streams: [], series: series.map(({ id }) => id) }, ({ series: known }) => ({
      ...{ streams: [], hours, at: now() },
      series: known.size > 0 ? [] : series,
    }));
  }
}

/** Charts on one dashboard, and alerts on them. */
export async function addCharts({ fixtureServer, ids, of }: Place): Promise<void> {
  const { dashboardStore, alertStore, secretBox, webhookSigner } = fixtureServer.server.cradle;
  const { project_id, log_stream_id: run_id } = ids;
  const facts = { type: 'line_chart', metric: 'records', aggregation: 'Count', description: '' } as const;
  const widgets = numbered(of(WIDGETS), (at) => ({ ...facts, dataset: [], id: randomUUID(), name: `widget ${at}` }));
  await dashboardStore.change(project_id, run_id, (before) => ({
    known_metrics: before?.known_metrics ?? [],
    sections: [...(before?.sections ?? []), { id: randomUUID(), name: 'many', widgets }],
  }));
  const [like] = await alertStore.list(project_id, run_id);
  for (const at of numbered(of(ALERTS), (one) => one)) {
    const id = randomUUID();
    const secrets = secretBox.seal(id, [{ path: ['webhook_secret'], text: webhookSigner.newSecret() }]);
    await alertStore.insert({ ...like!, id, settings: { ...like!.settings, name: `alert ${at}` } }, secrets);
  }
}

/** Groups, and one with many members, which sees the project. Returns its id. */
export async function addPeople({ fixtureServer, of }: Place): Promise<string> {
  const { server, host_id } = fixtureServer;
  const [group_id] = await Promise.all(
    numbered(of(GROUPS), (at) => makeGroupRow(server, host_id, `group ${at} ${randomUUID()}`, 'public')),
  );
  for (const _ of numbered(of(MEMBERS), (one) => one)) await putMember(server, group_id!, await makeUser(server), 'member');
  return group_id!;
}
