import { randomUUID } from 'node:crypto';
import type { RowValues } from '../../core/datasets/row.ts';
import { MAX_COLUMNS } from '../../core/datasets/row.ts';
import type { JsonObject } from '../../core/kernel/json.ts';
import type { Score } from '../../core/scores/score.ts';
import { MAX_SPANS_PER_TRACE } from '../../core/traces/ingest/ingest-schema.ts';
import type { LogRecord } from '../../core/traces/record.ts';
import { type FixtureServer, now } from '../access/fixture-object.ts';
import { makeDataset } from '../access/fixtures/dataset-fixtures.ts';
import { makeProject } from '../access/fixtures/project-fixtures.ts';
import { makeScorerRow } from '../access/fixtures/scorer-fixtures.ts';
import type { Ids } from '../access/row.ts';
import { CREATED, entry, type RecordStores, span, trace, write } from '../contracts/traces/record-stores.ts';
import { newDataset, readRows } from '../http/datasets/dataset-fixture.ts';
import { someone } from '../setup/access.ts';
import { addCharts, addMetricSeries, addPeople, addPrompt, addQueues, addRemarks } from './large-extras.ts';

const AT_ONCE = 1_000;
const SCORERS = 200;
/** Spans of one trace, and traces, with a score by each scorer: 100,000 results below one trace. More is not tried. */
const SCORED_RECORDS = 500;
const TEMPLATES = 50;
/** Of a dataset. */
const VERSIONS = 50;
/** In each place of a record where names are the sender's. */
const NAMES = 50_000;

/** A project and a dataset that hold as much as they may of everything that a request comes by. */
export interface LargeWorld {
  readonly ids: Ids;
  /** The same, seen from another large record. */
  readonly records: Readonly<Record<string, Ids>>;
  /** The same, with a large prompt. */
  readonly prompt: Ids;
}

/** `share` of the bounds, 1 for all of it. */
export async function makeLargeWorld(fixtureServer: FixtureServer, caller_id: string, share: number): Promise<LargeWorld> {
  const of = (bound: number): number => Math.max(1, Math.ceil(bound * share));
  const { ids: project } = await makeProject(fixtureServer, caller_id);
  const { ids: dataset } = await makeDataset(fixtureServer, caller_id);
  const ids: Ids = { ...project, dataset_id: dataset.dataset_id, source_dataset_id: dataset.dataset_id, row_id: dataset.row_id };
  const fixture = new Builder(fixtureServer, ids);
  await fixture.addColumns(of(20));
  const wide = await fixture.addTrace(of(MAX_SPANS_PER_TRACE) - 1, 'wide');
  const deep = await fixture.addTrace(of(MAX_SPANS_PER_TRACE) - 1, 'deep');
  const named = await fixture.addNames(of(NAMES));
  const session_id = await fixture.addSessions(of(1_000), of(1_000));
  await fixture.addScorers(of(SCORERS), of(SCORED_RECORDS), wide.root);
  await fixture.addRatings(of(TEMPLATES), of(1_000));
  await fixture.addExperiments(of(100), of(200));
  const dataset_id = await fixture.addDataset(of(MAX_COLUMNS), of(200), of(VERSIONS));
  const place = { fixtureServer, ids, of };
  await addRemarks(place, [wide.root, ...fixture.traces]);
  const queue_id = await addQueues(place, fixture.traces);
  const prompt = await addPrompt(place, caller_id);
  await addMetricSeries(place);
  await addCharts(place);
  const group_id = await addPeople(place);
  const dataset_versions = { version_index: '1', other_version_index: `${of(VERSIONS) + 1}` };
  const parts = { dataset_id, source_dataset_id: dataset_id, session_id, queue_id, group_id };
  const large: Ids = { ...ids, ...parts, ...dataset_versions };
  const seenFrom = ({ id }: LogRecord, span_id = id): Ids => ({ ...large, trace_id: id, record_id: id, parent_id: id, span_id });
  return {
    ids: seenFrom(wide.root, wide.first.id),
    records: {
      'a wide trace': seenFrom(wide.root, wide.first.id),
      'a deep trace': seenFrom(deep.root, deep.first.id),
      'a record with many names': seenFrom(named),
    },
    prompt: { ...large, ...prompt },
  };
}

const numbered = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

class Builder {
  readonly #fixtureServer: FixtureServer;
  readonly #ids: Ids;
  readonly #traces: LogRecord[] = [];

  constructor(fixtureServer: FixtureServer, ids: Ids) {
    this.#fixtureServer = fixtureServer;
    this.#ids = ids;
  }

  get traces(): readonly LogRecord[] {
    return this.#traces;
  }

  get #run() {
    return { project_id: this.#ids.project_id, run_id: this.#ids.log_stream_id };
  }

  /** As many names as records bring columns, and tags. */
  async addColumns(records: number): Promise<void> {
    await this.#write(
      numbered(records, (at) => {
        const names = Object.fromEntries(numbered(500, (name) => [`name ${at} ${name}`, 'x']));
        return trace(this.#run, { user_metadata: names, tags: numbered(50, (tag) => `tag ${at} ${tag}`) });
      }),
    );
  }

  async addTrace(spans: number, shape: 'wide' | 'deep'): Promise<{ readonly root: LogRecord; readonly first: LogRecord }> {
    const root = trace(this.#run, { name: shape, has_children: true });
    let above = root;
    const below = numbered(spans, (at) => {
      const one = span(above, {
        type: 'llm',
        name: `step ${at % 100}`,
        metrics: { num_input_tokens: 1 } as JsonObject,
        input: [{ role: 'user', content: 'x' }],
      });
      if (shape === 'deep') above = one;
      return one;
    });
    await this.#write([root, ...below]);
    return { root, first: below[0]! };
  }

  async addNames(names: number): Promise<LogRecord> {
    const values = <T>(value: T) => Object.fromEntries(numbered(names, (at) => [`key ${at}`, value]));
    const record = trace(this.#run, {
      name: 'names',
      user_metadata: values('x'),
      dataset_metadata: values('x'),
      metrics: values(1) as JsonObject,
    });
    await this.#write([record]);
    return record;
  }

  /** As many traces in as many sessions, and as many in one more, which is answered. */
  async addSessions(sessions: number, traces: number): Promise<string> {
    const one = randomUUID();
    const own = numbered(sessions, () => trace(this.#run, { session_id: randomUUID(), input: 'x', output: 'y', name: 'step' }));
    const shared = numbered(traces, () =>
      trace(this.#run, { session_id: one, input: 'x', output: 'y', metrics: { duration_ns: 1 } as JsonObject }),
    );
    this.#traces.push(...own);
    await this.#write([...own, ...shared]);
    return one;
  }

  /** Enabled scorers with scores of traces, and of the spans of one. */
  async addScorers(scorers: number, records: number, { project_id, run_id, id: trace_id }: LogRecord): Promise<void> {
    const { cradle } = this.#fixtureServer.server;
    const entries = numbered(scorers, (at) => entry({ name: `scorer ${at}`, scoreable_node_types: ['trace', 'llm'] }));
    for (const { id } of entries) {
      const ids = { ...this.#ids, scorer_id: id, scorer_version_id: randomUUID() };
      await makeScorerRow(this.#fixtureServer.server, this.#fixtureServer.host_id, ids);
    }
    await cradle.metricSettingsStore.replace(project_id, run_id, () => ({ scorers: entries, segment_filters: [] }));
    const spans = (await cradle.traceStore.listTrace(project_id, run_id, trace_id)).slice(0, records);
    for (const record of [...spans, ...this.#traces.slice(0, records)])
      await cradle.scoreStore.insert(entries.map(({ id, name }) => toScore(record, id, name)));
  }

  async addRatings(templates: number, records: number): Promise<void> {
    const { ratingStore } = this.#fixtureServer.server.cradle;
    const { project_id } = this.#ids;
    const facts = {
      project_id,
      created_by: null,
      created_at: now(),
      updated_at: now(),
      instructions: '',
      min: 0,
      max: 100,
      choices: [],
    };
    const made = numbered(templates, (at) => ({
      ...facts,
      id: randomUUID(),
      name: `template ${at}`,
      truth_rule: 'median' as const,
      annotation_type: 'star' as const,
    }));
    for (const template of made) await ratingStore.insertTemplate(template);
    for (const { id: record_id } of this.#traces.slice(0, records)) {
      const key = { ...this.#run, record_id, value: 3, explanation: null, rated_at: now() };
      await ratingStore.putFeedback({ ...key, name: 'stars', feedback_type: 'star' });
      for (const { id } of made.slice(0, 5))
        await ratingStore.putAnnotation({ ...key, template_id: id, annotator_id: randomUUID() });
    }
  }

  /** Each with a trace that has many metrics. */
  async addExperiments(experiments: number, metrics: number): Promise<void> {
    const { projectStore } = this.#fixtureServer.server.cradle;
    const { project_id } = this.#ids;
    const facts = {
      project_id,
      created_by: this.#fixtureServer.host_id,
      has_user_created_sessions: false,
      created_at: now(),
      updated_at: now(),
    };
    for (const id of numbered(experiments, () => randomUUID())) {
      await projectStore.insertRun({ ...facts, kind: 'experiment', id, name: `experiment ${id}` });
      const values = Object.fromEntries(numbered(metrics, (at) => [`metric ${at}`, at / metrics]));
      await this.#write([trace({ project_id, run_id: id }, { metrics: values, dataset_input: 'x' })]);
    }
  }

  /** Many columns and rows, and versions that each changed one. */
  async addDataset(columns: number, rows: number, versions: number): Promise<string> {
    const { datasetCreationService, datasetEditService } = this.#fixtureServer.server.cradle;
    const host = someone({ user_id: this.#fixtureServer.host_id });
    const names = ['input', 'output', 'metadata', ...numbered(columns - 3, (at) => `column ${at}`)];
    const row = (at: number): RowValues => Object.fromEntries(names.map((name) => [name, `value ${at}`]));
    const { id } = await datasetCreationService.create(host, newDataset(), readRows(numbered(rows, row), names));
    for (let at = 0; at < versions; at += 1)
      await datasetEditService.edit(
        host,
        id,
        { edits: [{ edit_type: 'append_row', row_id: randomUUID(), values: row(at) }] },
        undefined,
      );
    return id;
  }

  async #write(records: readonly LogRecord[]): Promise<void> {
    const stores = this.#fixtureServer.server.cradle as unknown as RecordStores;
    for (let at = 0; at < records.length; at += AT_ONCE) await write(stores, records.slice(at, at + AT_ONCE));
  }
}

const toScore = ({ project_id, run_id, id }: LogRecord, scorer_id: string, metric_name: string): Score => ({
  project_id,
  run_id,
  record_id: id,
  scorer_id,
  scorer_version_id: randomUUID(),
  metric_name,
  status_type: 'success',
  value: 1,
  explanation: null,
  message: null,
  effort: null,
  judged: null,
  times_scored: 1,
  scored_at: CREATED,
});
