import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parsePart } from '../adapters/http/validation.ts';
import { observedById, ownColumns } from '../core/columns/column-descriptors.ts';
import type { DatasetStore } from '../core/datasets/dataset-store.ts';
import { DatasetViews } from '../core/datasets/dataset-views.ts';
import { rowDiff } from '../core/datasets/diff.ts';
import { pairRows } from '../core/experiments/comparison/row-pairs.ts';
import { ranked } from '../core/experiments/ranking.ts';
import { computeAverages } from '../core/experiments/run-totals.ts';
import { measureLabelSets } from '../core/health/label-sets.ts';
import { countedCalls } from '../core/otel/counted-calls.ts';
import type { SpanOfTrace } from '../core/otel/spans/mapped-span.ts';
import { KeptTexts } from '../core/otel/spans/repeated-texts.ts';
import type { RatingStore } from '../core/ratings/rating-store.ts';
import { ratingViews } from '../core/ratings/rating-views.ts';
import { runRatings } from '../core/ratings/run-ratings.ts';
import type { StoredEntry } from '../core/scores/metric-settings.ts';
import type { ScoresBelow } from '../core/scores/roll-up.ts';
import { rollUps } from '../core/scores/rolled-up.ts';
import type { ObservedColumn } from '../core/traces/columns/observed-columns.ts';
import type { RecordOutline } from '../core/traces/read/record-scan.ts';
import { TraceGraphBuilder } from '../core/traces/read/trace-graph.ts';
import { computeTree, type RecordView } from '../core/traces/record.ts';
import { FilterTree } from '../core/traces/record-query.ts';
import { payloadText, toChunks } from '../plugins/scorer-kinds/payload-text.ts';
import { counted } from './setup/counted.ts';
import { processorMs } from './setup/timing.ts';

/** Makes input of a size and what works on it; everything that grows is in the input. */
type Work = (size: number) => { readonly input: object; run(input: never): unknown };

const work = <T extends object>(input: (size: number) => T, run: (input: T) => unknown): Work =>
  ((size) => ({ input: input(size), run })) as Work;
const times = <T>(size: number, make: (at: number) => T): T[] => Array.from({ length: size }, (_, at) => make(at));

async function readsFor(of: Work, size: number): Promise<number> {
  const { input, run } = of(size);
  const { value, reads } = counted(input);
  await run(value as never);
  return reads();
}

const keys = { project_id: 'p', run_id: 'r' };
const rating = (at: number, record: string, template: string) => ({
  ...keys,
  record_id: record,
  template_id: template,
  annotator_id: `annotator ${at}`,
  name: `feedback ${at}`,
  value: true,
  explanation: null,
});
const template = (at: number) => ({ id: `t${at}`, annotation_type: 'like_dislike' });
const outline = (at: number): RecordOutline =>
  ({
    id: String(at),
    trace_id: '0',
    parent_id: at === 0 ? null : String(at - 1),
    session_id: 's',
    type: at === 0 ? 'trace' : 'workflow',
    name: 'step',
    created_at: '2026-01-01T00:00:00.000000Z',
    metrics: {},
  }) as unknown as RecordOutline;
/** A chain of steps above as many calls side by side. */
const stepsAndCalls = (size: number, seen: Partial<SpanOfTrace> = {}) =>
  times(size, (at) => ({
    id: String(at),
    parent_id: String(at < size / 2 ? at - 1 : Math.floor(size / 2) - 1),
    external_id: String(at),
    created_at: `2026-01-01T00:00:00.${String(at).padStart(9, '0')}Z`,
    type: 'workflow' as const,
    of_trace: { call: at < size / 2 ? null : 'llm', ...seen } as SpanOfTrace,
  }));
const side = (at: number) => ({ row_id: null, dataset_input: 'the same', trace_id: String(at), metrics: new Map() });

const LINEAR: Readonly<Record<string, Work>> = {
  'own columns of a run': work(
    (size) => times(size, (at): ObservedColumn => ({ type: 'trace', column_id: `metrics/${at}`, data_type: 'text' })),
    (seen) => ownColumns('metrics', observedById(seen)),
  ),
  'calls below a long chain of steps': work((size) => stepsAndCalls(size), countedCalls),
  'calls that name one response': work(
    (size) => stepsAndCalls(size, { response_id: 'one', ended_at: '2026-01-02T00:00:00Z' }),
    countedCalls,
  ),
  'the tree of a deep trace': work(
    (size) => times(size, outline) as unknown as RecordView[],
    (records) => computeTree('0', records),
  ),
  'the graph of a deep trace': work(
    (size) => times(size, outline),
    (records) => new TraceGraphBuilder((text) => text.slice(-40)).add(records),
  ),
  'roll-ups by many scorers': work(
    (size) => ({
      scorers: times(size, (at) => ({ id: `s${at}`, name: `s${at}`, scoreable_node_types: ['llm'] }) as unknown as StoredEntry),
      scores: times(size, (at) => ({
        under_id: 'u',
        scorer_id: `s${at}`,
        is_trace: false,
        values: [1],
        spent: [],
      })),
    }),
    ({ scorers, scores }) =>
      rollUps(
        { list: async () => scores } as ScoresBelow,
        { scorers, segment_filters: [] },
        { ...keys, level: 'trace', ids: ['u'] },
      ),
  ),
  'ratings of many records': work(
    (size) => ({
      ids: times(size, (at) => `r${at}`),
      given: times(size, (at) => rating(at, `r${at}`, 't0')),
      templates: [template(0)],
    }),
    async ({ ids, given, templates }) => {
      const store = { list: async () => ({ feedback: given, annotations: given }), listTemplates: async () => templates };
      const toView = await ratingViews(store as unknown as RatingStore, 'p', 'r', ids);
      return ids.map((id) => toView(id));
    },
  ),
  'ratings by many templates': work(
    (size) => ({ given: times(size, (at) => rating(at, 'r', `t${at}`)), templates: times(size, template) }),
    async ({ given, templates }) => {
      const ratingStore = { listByRuns: async () => given, listTemplates: async () => templates } as unknown as RatingStore;
      return runRatings({ ratingStore, runRecords: { counts: async () => new Map() } as never }, 'p', ['r']);
    },
  ),
  'a list of datasets, each in use': work(
    (size) => ({
      datasets: times(size, (at) => ({ id: `d${at}`, created_by: 'u', column_names: [] })),
      uses: times(size, (at) => ({ dataset_id: `d${at}`, project_id: `p${at}` })),
      projects: times(size, (at) => `p${at}`),
    }),
    ({ datasets, uses, projects }) => {
      const datasetStore = { listUses: async () => uses } as unknown as DatasetStore;
      const views = new DatasetViews({
        datasetStore,
        accessStore: { listUsers: async () => [] } as never,
        authorizer: {} as never,
      });
      return views.many(datasets as never, () => 'viewer', projects, []);
    },
  ),
  'a row of many columns, compared': work(
    (size) => times(size, (key) => ({ key, name: `column ${key}` })),
    (columns) => {
      const row = { row_id: 'r', cells: {} };
      return rowDiff({ row_before: row, row_after: row } as never, columns, columns);
    },
  ),
  'averages of many metrics': work(
    (size) => times(size, (at) => ({ run_id: 'r', name: `m${at}`, type: 'llm', sum: 1, count: 1 })),
    computeAverages,
  ),
};

/** Twice the input, and some for sorting and for what does not grow. */
const GROWTH = 2.3;
const SIZE = 1_000;

describe('the work on what clients send and store', () => {
  it.each(Object.entries(LINEAR))('grows with its input: %s', async (_, of) => {
    expect(await readsFor(of, 2 * SIZE)).toBeLessThan(GROWTH * (await readsFor(of, SIZE)));
  });

  it('would be noticed if it grew with the square of it', async () => {
    const square = work(
      (size) => times(size, (at) => ({ id: at })),
      (items) => items.map(({ id }) => items.find((one) => one.id === id)),
    );
    expect(await readsFor(square, 2 * SIZE)).toBeGreaterThan(GROWTH * (await readsFor(square, SIZE)));
  });
});

/** Of what is copied on the way, reads cannot be counted. Sizes for which the square took ten seconds and more. */
const TIMED: Readonly<Record<string, () => unknown>> = {
  'rows of two runs with the same input': () => {
    const rows = times(200_000, side);
    return pairRows(rows, rows);
  },
  'experiments, ranked': () =>
    ranked(times(60_000, (at) => ({ run_id: `r${at}`, dataset_id: 'd', averages: { m: (at % 100) / 100 } }))),
  'a row with many labels': () => {
    const labels = times(200_000, (at) => `l${at}`);
    return measureLabelSets([labels], [labels]);
  },
  'a tree of filters whose nodes have every key': () => {
    const tree = (depth: number): object =>
      depth === 0 ? { filter: { type: 'x' } } : { and: [tree(depth - 1)], or: [tree(depth - 1)], not: tree(depth - 1) };
    return FilterTree.safeParse(tree(10));
  },
  'documents for a judge, the last of which is none': () => toChunks([...times(300_000, () => ({ content: 'x' })), 1]),
  'attributes full of quotes that nobody closes': () => {
    const texts = new KeptTexts({ input: 'q'.repeat(64) });
    for (const part of ['"', "'", '\\"', " '", '"\\']) texts.withoutRepeats(`"${part.repeat(1_000_000)}`);
  },
  'a list of documents of which none is a message': () => payloadText(times(300_000, () => ({}))),
};

/** Processor time. The slowest takes one second, their squares ten and more. */
const LIMIT_MS = 4_000;

/** The least of a few tries: threads that collect the garbage of other files in this process only ever add to it. */
function leastMs(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && least >= LIMIT_MS; tries += 1) least = Math.min(least, processorMs(run));
  return least;
}

describe('the processor time of the work on what clients send and store', () => {
  it.each(Object.entries(TIMED))('is bounded: %s', { timeout: 240_000 }, (_, run) => {
    expect(leastMs(run)).toBeLessThan(LIMIT_MS);
  });
});

describe('a body that is not valid', () => {
  let looked = 0;
  const Item = z.custom<number>((value) => {
    looked += 1;
    return value === 1;
  });

  it('is told all of its issues where it is small', () => {
    const issues: { loc: readonly unknown[] }[] = [];
    parsePart(z.object({ items: z.array(Item) }), { items: [1, 2, 1, 3] }, 'body', issues as never);
    expect(issues.map(({ loc }) => loc)).toEqual([
      ['body', 'items', 1],
      ['body', 'items', 3],
    ]);
  });

  it('is looked at up to its first issue where it is large', () => {
    looked = 0;
    const issues: unknown[] = [];
    parsePart(z.object({ items: z.array(Item) }), { items: times(100_000, () => 0) }, 'body', issues as never);
    expect(issues).toHaveLength(1);
    expect(looked).toBeLessThan(10);
  });
});
