import { AppError } from '../../kernel/errors.ts';
import type { Explain } from '../../kernel/explain.ts';
import type { Clock, Log, NewId } from '../../kernel/ports.ts';
import {
  OutputType,
  type ScoreItem,
  type ScoreOutcome,
  type Scorer,
  type ScorerKindPlugin,
  type ScorerKit,
} from '../../plugin-sdk/index.ts';
import type { Definition, ScorerKinds } from '../../scorers/kinds/scorer-kinds.ts';
import type { ScorerRecord, ScorerVersionRecord } from '../../scorers/scorer.ts';
import { askScorer } from '../../scorers/scoring/asked-scorer.ts';
import { type ModelUse, NO_PROJECT } from '../../scorers/scoring/scorer-kits.ts';
import { planEntry } from '../../scorers/settings/planned-entry.ts';
import { toSamples } from '../../scorers/validation/sample-records.ts';
import { getRecordTypes } from '../../scores/record-types.ts';
import type { AuditAsk } from './audit-plan.ts';
import type { AuditTexts } from './audit-texts.ts';
import type { VerdictScale } from './verdict-scale.ts';

export interface AuditedJudgeDeps {
  readonly scorerKinds: ScorerKinds;
  readonly explain: Explain;
  readonly newId: NewId;
  readonly clock: Clock;
  readonly log: Log;
}

/** Values for judges that look at what an application says of itself. */
const USER_METADATA = {
  rules: 'Answer the question from the document.',
  role: 'You answer questions of customers and readers.',
  topics: 'questions of customers, general knowledge',
  criterion: 'The answer is right.',
};

/** A version whose verdicts can be compared, ready to be asked about texts. */
export class AuditedJudge {
  readonly scale: VerdictScale;
  readonly #deps: AuditedJudgeDeps;
  readonly #scorer: ScorerRecord;
  readonly #version: ScorerVersionRecord;
  readonly #plugin: ScorerKindPlugin;
  readonly #definition: Definition;

  /** Throws an AppError `invalid` for a version that cannot be audited. */
  constructor(deps: AuditedJudgeDeps, scorer: ScorerRecord, version: ScorerVersionRecord) {
    const { scorerKinds } = deps;
    const plugin = scorerKinds.find(version.kind);
    if (!plugin?.audit) throw unsupported(`scorers of kind "${version.kind}" ask no judge that could be tested for bias`);
    const output_type = OutputType.safeParse(version.output_type ?? scorer.output_type).data;
    if (!output_type) throw unsupported('it is not known of which type the verdicts of this version are');
    if (output_type === 'freeform') throw unsupported('verdicts of type freeform are texts, which cannot be compared');
    const { definition } = scorerKinds.parse(plugin, version.definition);
    if (!definition) throw unsupported('the definition of this version does not fit the installed plugin');
    this.#deps = deps;
    this.#scorer = scorer;
    this.#version = version;
    this.#plugin = plugin;
    this.#definition = definition;
    this.scale = { output_type, labels: this.#getLabels(), range: plugin.audit.range?.(definition) };
  }

  /** The type of record that the version judges, the first of several. */
  listNodeTypes(): string[] {
    const { scoreable_node_types } = planEntry(
      { id: this.#scorer.id } as Parameters<typeof planEntry>[0],
      this.#scorer,
      this.#version,
      this.#deps.scorerKinds,
    );
    return [...getRecordTypes(scoreable_node_types)];
  }

  /** Has the judge say what it makes of texts, each in a record of the type; one outcome for each. Rejects with a PluginError when it can judge none. */
  async ask(
    asks: readonly AuditAsk[],
    node_type: string,
    kitOf: (signal: AbortSignal) => ScorerKit,
    signal: AbortSignal,
  ): Promise<ScoreOutcome[]> {
    const outcomes = new Map<AuditAsk, ScoreOutcome>();
    for (const [is_reversed, own] of Map.groupBy(asks, (one) => one.is_reversed ?? false)) {
      const items = own.map(({ texts }) => this.#toItem(texts, node_type));
      const { id: scorer_version_id, calibration } = this.#version;
      const facts = { scorer_id: this.#scorer.id, scorer_version_id };
      const asked = { output_type: this.scale.output_type, calibration, log: this.#deps.log, facts };
      const found = await askScorer(() => this.#start(kitOf(signal), is_reversed), { items, signal }, asked);
      for (const [at, one] of own.entries()) outcomes.set(one, found[at] ?? NO_RESULT);
    }
    return asks.map((one) => outcomes.get(one)!);
  }

  /** Whose models are asked, and what the calls are counted to. */
  toUse(user_id: string): ModelUse {
    const ids = { scorer_id: this.#scorer.id, scorer_version_id: this.#version.id };
    return { project_id: NO_PROJECT, run_id: NO_PROJECT, ...ids, user_id, daily_budget: null, fresh: true, is_audit: true };
  }

  #getLabels(): readonly string[] | undefined {
    const { audit } = this.#plugin;
    return audit?.withLabels && audit.labels?.(this.#definition);
  }

  #start(kit: ScorerKit, is_reversed: boolean): Scorer {
    const { audit } = this.#plugin;
    const { labels } = this.scale;
    const turned = is_reversed && labels ? audit?.withLabels?.(this.#definition, labels.toReversed()) : undefined;
    return this.#plugin.create(kit, turned ?? this.#definition);
  }

  #toItem({ question, document, answer, truth }: AuditTexts, node_type: string): ScoreItem {
    const { explain, newId, clock } = this.#deps;
    const now = clock().toISOString();
    const to = { project_id: NO_PROJECT, run_id: NO_PROJECT, session_id: undefined, is_complete: true, now, newId };
    const texts = { input: question, output: answer, document, user_metadata: USER_METADATA };
    const [sample] = toSamples([node_type], texts, to, explain);
    const surroundings = this.#plugin.surroundings?.(this.#definition) ?? 'none';
    const wantsTruth = this.#scorer.ground_truth === true || this.#version.definition.ground_truth === true;
    const names = this.#scorer.required_scorers ?? [];
    return {
      record: sample!.record,
      ...(surroundings === 'none' ? {} : { around: sample!.around }),
      ...(wantsTruth ? { ground_truth: truth } : {}),
      ...(names.length > 0 ? { required: Object.fromEntries(names.map((name) => [name, null])) } : {}),
    };
  }
}

const NO_RESULT: ScoreOutcome = { status: 'failed', message: 'the scorer gave no result' };

export const unsupported = (message: string): AppError => new AppError('invalid', 'judge_audit_unsupported', message);
