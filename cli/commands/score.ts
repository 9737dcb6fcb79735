import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from './command-error.ts';
import { experimentUrl } from './experiments.ts';
import { ingestFile } from './ingest.ts';
import { findOrMakeProject, findPlace, findScorer, type Place } from './places.ts';
import type { ServiceClient } from './service-client.ts';
import { Progress, type Terminal } from './terminal.ts';

export interface ScoreRequest {
  readonly project: string;
  /** Name or id. */
  readonly scorer: string;
  /** The one in use unless given. */
  readonly scorerVersion?: number;
  /** Traces to score in an experiment of their own. */
  readonly file?: string;
  /** A run that is there, in place of a file. */
  readonly logStream?: string;
  readonly experiment?: string;
  /** Whether a run may get the scorer that has it not. */
  readonly enable: boolean;
  /** Conditions on the traces of a run. */
  readonly filters: (place: Place) => Promise<readonly object[]>;
  readonly timeoutSeconds: number;
}

export interface Scored {
  readonly metric: string;
  readonly records: number;
  readonly scored: number;
  /** Records that the scorer failed on, or could not judge. */
  readonly failed: number;
  readonly not_applicable: number;
  /** Of numbers, and of yes and no as 1 and 0; null where there are none. */
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Records by value, where values are text. */
  readonly values: Readonly<Record<string, number>>;
  /** The first words on why records failed. */
  readonly problems: readonly string[];
  readonly url: string | null;
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly scoreable_node_types: readonly string[];
  readonly scorer_version: { readonly id: string } | null;
}

interface Result {
  readonly status_type: string;
  readonly value?: unknown;
  readonly message?: string | null;
}

interface ScoredRecord {
  readonly id: string;
  readonly trace_id?: string;
  readonly is_complete?: boolean;
  readonly metric_info?: Readonly<Record<string, Result>>;
}

type Level = 'traces' | 'spans' | 'sessions';

const PAGE = 100;
const POLL_MS = 250;
const MAX_VALUES = 100;
const MAX_PROBLEMS = 5;

/** Has one version of a scorer judge a file of traces, or a run, and waits for what it says. */
export async function score(client: ServiceClient, request: ScoreRequest, terminal: Terminal): Promise<Scored> {
  const scorer_id = await findScorer(client, request.scorer);
  const version = await findVersion(client, scorer_id, request.scorerVersion);
  const until = Date.now() + request.timeoutSeconds * 1_000;
  const place =
    request.file === undefined
      ? await findPlace(client, request)
      : await ingestForScoring(client, request, { scorer_id, version }, terminal);
  const run_id = Object.values(place.run)[0] as string;
  const settings = `/v2/projects/${place.project_id}/runs/${run_id}/scorer-settings`;
  const filters = request.file === undefined ? await request.filters(place) : [];
  if (request.file === undefined) {
    await requireEnabled(client, settings, { scorer_id, version, enable: request.enable });
    await recompute(client, place, { filters, scorer_ids: [scorer_id] }, until);
  }
  const entry = (await getEntries(client, settings)).find(({ id }) => id === scorer_id)!;
  const progress = new Progress(terminal, 'records scored');
  try {
    const summary = await collect(client, place, entry, { filters, until, progress });
    const isExperiment = 'experiment_id' in place.run;
    return { ...summary, url: isExperiment ? experimentUrl(client, place.project_id, run_id) : null };
  } finally {
    progress.end();
  }
}

interface Wanted {
  readonly scorer_id: string;
  readonly version: string | undefined;
}

async function findVersion(client: ServiceClient, scorer_id: string, number: number | undefined): Promise<string | undefined> {
  if (number === undefined) return undefined;
  return (await client.call<{ id: string }>('GET', `/v2/scorers/${scorer_id}/version?version=${number}`)).id;
}

const toEntry = ({ scorer_id, version }: Wanted): object => ({
  id: scorer_id,
  ...(version !== undefined && { scorer_version: { id: version } }),
});

async function ingestForScoring(
  client: ServiceClient,
  { project, file }: ScoreRequest,
  wanted: Wanted,
  terminal: Terminal,
): Promise<Place> {
  const project_id = await findOrMakeProject(client, project);
  const name = `scores of ${basename(file!)} ${new Date().toISOString()}`;
  const json = { name, scorers: [toEntry(wanted)] };
  const { id } = await client.call<{ id: string }>('POST', `/v2/projects/${project_id}/experiments`, { json });
  await ingestFile(client, file!, { project: project_id, experiment: id }, terminal);
  return { project_id, run: { experiment_id: id } };
}

async function getEntries(client: ServiceClient, settings: string): Promise<readonly Entry[]> {
  return (await client.call<{ scorers: Entry[] }>('GET', settings)).scorers;
}

/** A scorer that is enabled goes on scoring what comes in: that is for the user to say. */
async function requireEnabled(
  client: ServiceClient,
  settings: string,
  wanted: Wanted & { readonly enable: boolean },
): Promise<void> {
  const entries = await getEntries(client, settings);
  const there = entries.find(({ id }) => id === wanted.scorer_id);
  const isIt = there !== undefined && (wanted.version === undefined || there.scorer_version?.id === wanted.version);
  if (isIt) return;
  if (!wanted.enable)
    throw new CommandError(
      `the scorer is not enabled in this run${there ? ' in this version' : ''}; --enable enables it, for what comes in from now on too`,
    );
  const others = entries.filter(({ id }) => id !== wanted.scorer_id);
  await client.open('PATCH', settings, { json: { scorers: [...others, { ...there, ...toEntry(wanted) }] } });
}

interface Recompute {
  readonly filters: readonly object[];
  readonly scorer_ids: readonly string[];
}

async function recompute(client: ServiceClient, { project_id, run }: Place, what: Recompute, until: number): Promise<void> {
  const { job_id } = await client.call<{ job_id: string }>('POST', `/v2/projects/${project_id}/recompute-metrics`, {
    json: { ...run, ...what },
  });
  for (;;) {
    const job = await client.call<{ status: string; error_message?: string | null }>('GET', `/v2/jobs/${job_id}`);
    if (job.status === 'completed') return;
    if (job.status === 'failed' || job.status === 'cancelled')
      throw new CommandError(`scoring ${job.status}: ${job.error_message ?? ''}`);
    await pause(until);
  }
}

async function pause(until: number): Promise<void> {
  if (Date.now() >= until) throw new CommandError('not everything was scored in time; --timeout gives it longer');
  await sleep(POLL_MS);
}

interface Collecting {
  readonly filters: readonly object[];
  readonly until: number;
  readonly progress: Progress;
}

/** Goes through the records that the scorer looks at once, page by page; a page with scores to come is asked for again. */
async function collect(
  client: ServiceClient,
  place: Place,
  entry: Entry,
  { filters, until, progress }: Collecting,
): Promise<Omit<Scored, 'url'>> {
  const tally = new ScoreTally(entry.name);
  const traces = filters.length > 0 ? new Set<string>() : undefined;
  for (const level of levelsOf(entry, traces !== undefined)) {
    const conditions = level === 'traces' ? filters : [];
    for (let token: number | null = 0; token !== null; ) {
      const json = {
        ...place.run,
        filters: conditions,
        starting_token: token,
        limit: PAGE,
        sort: { column_id: 'created_at', ascending: true },
      };
      const path = `/v2/projects/${place.project_id}/${level}/search`;
      const page: { records: ScoredRecord[]; next_starting_token: number | null } = await client.call('POST', path, { json });
      if (level === 'traces') for (const { id } of page.records) traces?.add(id);
      const own = page.records.filter((record) => level === 'traces' || (traces?.has(record.trace_id ?? '') ?? true));
      if (own.some((record) => isToCome(record, entry.name))) {
        await pause(until);
        continue;
      }
      for (const record of own) tally.add(record);
      progress.at(tally.records);
      token = page.next_starting_token;
    }
  }
  return tally.summary();
}

/** Records that were logged before the scorer was enabled are not said to be pending, though their scores were asked for. */
function isToCome({ is_complete, metric_info }: ScoredRecord, metric: string): boolean {
  const status = metric_info?.[metric]?.status_type;
  return status === 'pending' || (status === 'not_computed' && is_complete !== false);
}

/** Spans of traces that pass conditions are known by their traces, which are looked at first. */
function levelsOf({ scoreable_node_types: types }: Entry, isFiltered: boolean): Level[] {
  const levels: Level[] = [];
  if (isFiltered || types.length === 0 || types.includes('trace')) levels.push('traces');
  if (types.length === 0 || types.some((type) => type !== 'trace' && type !== 'session')) levels.push('spans');
  if (types.includes('session') && !isFiltered) levels.push('sessions');
  return levels;
}

class ScoreTally {
  readonly #metric: string;
  records = 0;
  #failed = 0;
  #notApplicable = 0;
  #scored = 0;
  #sum = 0;
  #numbers = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  readonly #values = new Map<string, number>();
  readonly #problems = new Set<string>();

  constructor(metric: string) {
    this.#metric = metric;
  }

  /** A record that the scorer does not look at has no result at all. */
  add({ metric_info }: ScoredRecord): void {
    const result = metric_info?.[this.#metric];
    if (result === undefined || result.status_type === 'roll_up') return;
    this.records += 1;
    if (result.status_type === 'success') this.#addValue(result.value);
    else if (result.status_type === 'not_applicable') this.#notApplicable += 1;
    else {
      this.#failed += 1;
      if (this.#problems.size < MAX_PROBLEMS) this.#problems.add(result.message ?? result.status_type);
    }
  }

  #addValue(value: unknown): void {
    this.#scored += 1;
    const number = typeof value === 'boolean' ? Number(value) : value;
    if (typeof number === 'number') {
      this.#numbers += 1;
      this.#sum += number;
      this.#min = Math.min(this.#min, number);
      this.#max = Math.max(this.#max, number);
    } else {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      if (this.#values.has(text) || this.#values.size < MAX_VALUES) this.#values.set(text, (this.#values.get(text) ?? 0) + 1);
    }
  }

  summary(): Omit<Scored, 'url'> {
    const has = this.#numbers > 0;
    return {
      metric: this.#metric,
      records: this.records,
      scored: this.#scored,
      failed: this.#failed,
      not_applicable: this.#notApplicable,
      mean: has ? this.#sum / this.#numbers : null,
      min: has ? this.#min : null,
      max: has ? this.#max : null,
      values: Object.fromEntries(this.#values),
      problems: [...this.#problems],
    };
  }
}

export interface Thresholds {
  readonly failBelow?: number;
  readonly failAbove?: number;
}

/** Why the result is no, in words; undefined when it is yes. */
export function findRefusal({ mean, scored, failed }: Scored, { failBelow, failAbove }: Thresholds): string | undefined {
  if (scored === 0) return 'nothing was scored';
  if (failed > 0) return `${failed} records could not be scored`;
  if (failBelow === undefined && failAbove === undefined) return undefined;
  if (mean === null) return 'the scores are no numbers, so they have no mean';
  if (failBelow !== undefined && mean < failBelow) return `the mean is below ${failBelow}`;
  return failAbove !== undefined && mean > failAbove ? `the mean is above ${failAbove}` : undefined;
}

export function describeScored({
  metric,
  records,
  scored,
  failed,
  not_applicable,
  mean,
  min,
  max,
  values,
  problems,
  url,
}: Scored): string {
  const number = (value: number) => String(Number(value.toPrecision(4)));
  const counts = Object.entries(values).map(([value, count]) => `${value}: ${count}`);
  const others = [failed > 0 ? `${failed} failed` : '', not_applicable > 0 ? `${not_applicable} not applicable` : ''].filter(
    Boolean,
  );
  return [
    `${metric}: ${[`${scored} of ${records} records scored`, ...others].join(', ')}`,
    ...(mean === null ? [] : [`mean ${number(mean)}, from ${number(min!)} to ${number(max!)}`]),
    ...(counts.length > 0 ? [counts.join(', ')] : []),
    ...problems.map((problem) => `  ${problem}`),
    ...(url === null ? [] : [url]),
  ].join('\n');
}
