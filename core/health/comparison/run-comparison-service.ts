import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import { sliceFor, toPage } from '../../kernel/query/page.ts';
import { OutputType, type ReadValues, readScoreValue } from '../../plugin-sdk/index.ts';
import { getHealth } from '../health-of.ts';
import { toPair } from '../join-rows.ts';
import type { ScoredRecord } from '../row-scores.ts';
import { type Scored, ScoredRows, type ScoredRowsDeps, type Subject } from '../scored-rows.ts';
import {
  type AgreementScale,
  type ComparableType,
  GRADED_SCALE,
  isErrorScale,
  measureAgreement,
  toComparableKey,
} from './agreement-scale.ts';
import {
  comparePair,
  judgePairs,
  listPairs,
  type MatchedRow,
  matchRows,
  type UsableRow,
  type UsableRows,
} from './compare-pairs.ts';
import { listWarnings } from './comparison-warnings.ts';
import { FITTING_TESTS, type PairedTest } from './paired-tests.ts';
import {
  type ComparedRun,
  type DifferingRow,
  type RunComparison,
  type RunComparisonRequest,
  type ShownValue,
  SIGNIFICANCE_LEVEL,
} from './run-comparison.ts';

export interface RunComparisonDeps extends ScoredRowsDeps {
  readonly authorizer: Authorizer;
  readonly pause: () => Promise<void>;
}

/** Of all runs of a comparison together: the rows of all of them are held in memory at once. */
const MAX_TRACES = 200_000;

interface ReadRow extends UsableRow, ScoredRecord {
  readonly truth: ReadValues[ComparableType];
  readonly score: ReadValues[ComparableType];
}

interface Side {
  readonly run: ComparedRun;
  readonly rows: UsableRows<ReadRow>;
}

interface Terms {
  readonly output_type: ComparableType;
  readonly test: PairedTest;
  readonly scale: AgreementScale;
}

/** Tells which of several metrics-testing runs agrees best with the ground truth, and what of that may be chance. */
export class RunComparisonService {
  readonly #deps: RunComparisonDeps;
  readonly #scoredRows: ScoredRows;

  constructor(deps: RunComparisonDeps) {
    this.#deps = deps;
    this.#scoredRows = new ScoredRows(deps);
  }

  /** Asks for sight of the project and of the dataset. Nothing is kept. */
  async compare(caller: Caller, project_id: string, request: RunComparisonRequest): Promise<RunComparison> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const subjects: Subject[] = [];
    for (const { run_id, scorer_id } of request.runs)
      subjects.push(await this.#scoredRows.findSubject(caller, project_id, run_id, scorer_id));
    const dataset_id = requireOneDataset(subjects);
    const declared = await Promise.all(subjects.map((subject) => this.#declaredType(subject)));
    const terms = toTerms(request, declared);
    const sides = await this.#sides(subjects, request, terms);
    const pairs = listPairs(sides.length, request.baseline ?? null);
    const rows_of = request.rows_of ?? pairs[0]!;
    const match = (places: { readonly run: number; readonly against: number }) =>
      matchRows(sides[places.run]!.rows, sides[places.against]!.rows);
    const compared = [];
    for (const places of pairs) {
      compared.push(comparePair(places, match(places), terms.scale, terms.test));
      await this.#deps.pause();
    }
    const comparisons = judgePairs(compared, terms.scale);
    const runs = sides.map(({ run }) => run);
    const { offset, limit } = sliceFor(request);
    const differing = toDiffering(match(rows_of).rows);
    const { items, page } = toPage(differing.slice(offset, offset + limit), request);
    return {
      ...page,
      output_type: terms.output_type,
      dataset_id,
      agreement: terms.scale,
      lower_is_better: isErrorScale(terms.scale),
      test: terms.test,
      significance_level: SIGNIFICANCE_LEVEL,
      runs,
      comparisons,
      warnings: listWarnings(runs, declared, comparisons),
      rows_of,
      differing_rows: items.map(toShown),
    };
  }

  /** Of the version that was tried out, else of the default one, else of the scorer. */
  async #declaredType({ origin, scorer }: Subject): Promise<string | null> {
    const version_id = origin?.scorer_version_id ?? scorer.default_version_id;
    const version = version_id === null ? undefined : await this.#deps.scorerStore.findVersion(version_id);
    return version?.output_type ?? scorer.output_type;
  }

  /** One after the other, so that the traces of one at a time are in memory beside the rows. */
  async #sides(subjects: readonly Subject[], request: RunComparisonRequest, terms: Terms): Promise<Side[]> {
    const sides: Side[] = [];
    let left = MAX_TRACES;
    for (const [at, subject] of subjects.entries()) {
      const { scoreable_node_types } = request.runs[at]!;
      const reading = { scoreable_node_types, mgt_overlay: request.mgt_overlay, most_traces: left };
      const scored = await this.#scoredRows.read(subject, reading);
      left -= scored.traces;
      const health = await getHealth(terms.output_type, scored.truths, scored.values, this.#deps.pause);
      sides.push({ rows: toUsableRows(scored, terms), run: toComparedRun(scored, health) });
    }
    return sides;
  }
}

/** Throws AppError `runs_not_comparable` unless the rows of all runs are the same things. */
function requireOneDataset(subjects: readonly Subject[]): string | null {
  const datasets = new Set(subjects.map(({ version }) => version?.dataset_id ?? null));
  const dataset_id = subjects[0]!.version?.dataset_id ?? null;
  if (datasets.size > 1) throw notComparable('the runs went through different datasets');
  // Rows are traces then, and no other run has the same.
  if (dataset_id === null && new Set(subjects.map(({ run }) => run.id)).size > 1)
    throw notComparable('the runs have no dataset whose rows they share');
  return dataset_id;
}

function toTerms({ output_type, test: wanted }: RunComparisonRequest, declared: readonly (string | null)[]): Terms {
  const known = output_type ?? (new Set(declared).size === 1 ? OutputType.safeParse(declared[0]).data : undefined);
  if (known === undefined) throw notComparable('the scorers do not all declare the same output type, and the request names none');
  if (known === 'freeform') throw notComparable('texts without a form have no distance from what is right');
  const fitting = FITTING_TESTS[known];
  if (wanted && !fitting.includes(wanted)) {
    const msg = `for ${known} the test can be ${fitting.join(', ')}`;
    const issues = [{ loc: ['body', 'test'], msg, type: 'test_does_not_fit', input: wanted }];
    throw new AppError('invalid', 'test_does_not_fit', msg, { issues });
  }
  const test = wanted ?? fitting[0];
  return { output_type: known, test, scale: test === 'mcnemar' ? 'right' : GRADED_SCALE[known] };
}

function notComparable(msg: string): AppError {
  const issues = [{ loc: ['body', 'runs'], msg, type: 'runs_not_comparable' }];
  return new AppError('invalid', 'runs_not_comparable', msg, { issues });
}

function toUsableRows({ truths, values, records }: Scored, { output_type, scale }: Terms): UsableRows<ReadRow> {
  const rows = new Map<string, ReadRow>();
  for (const { row_id, truth: given } of truths) {
    const said = values.get(row_id);
    const pair = said && toPair(output_type, readScoreValue(output_type, given, 'truth'), said);
    if (!pair) continue;
    const { truth, score } = pair;
    const agreement = measureAgreement(scale, truth, score);
    rows.set(row_id, { row_id, truth, score, agreement, truth_key: toComparableKey(truth), ...records.get(row_id)! });
  }
  return rows;
}

function toComparedRun({ subject, version, failed_rows }: Scored, health: ComparedRun['health']): ComparedRun {
  const { run, origin, scorer } = subject;
  const rows = health.joined_rows - health.skipped_rows;
  return {
    run_id: run.id,
    run_name: run.name,
    scorer_id: scorer.id,
    scorer_name: scorer.name,
    scorer_version_id: version?.id ?? null,
    scorer_version_number: version?.version ?? null,
    dataset_version_index: origin?.dataset_version_index ?? subject.version?.version_index ?? null,
    truth_column: subject.truth_column?.name ?? null,
    rows,
    rows_without_truth: health.total_scored_rows - health.joined_rows,
    rows_without_score: health.total_mgt_rows - health.joined_rows,
    failed_rows,
    health,
  };
}

/** The largest difference first, equal ones in the order of the dataset. */
const toDiffering = (rows: readonly MatchedRow<ReadRow>[]): MatchedRow<ReadRow>[] =>
  rows.filter(({ difference }) => difference !== 0).sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));

function toShown({ run, against, difference }: MatchedRow<ReadRow>): DifferingRow {
  const toSide = ({ score, agreement, trace_id, record_id }: ReadRow) => {
    return { score: shorten(score), agreement, trace_id, record_id };
  };
  return { row_id: run.row_id, truth: shorten(run.truth), run: toSide(run), against: toSide(against), difference };
}

const MAX_SHOWN = 1_000;

function shorten(value: ReadValues[ComparableType]): ShownValue {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MAX_SHOWN ? (value as ShownValue) : `${text.slice(0, MAX_SHOWN)}…`;
}
