import type { AuditTrail } from '../access/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { type PageFields, type PageRequest, pageOf } from '../kernel/page.ts';
import type { Clock, NewId, Transactions } from '../kernel/ports.ts';
import type { Sort } from '../kernel/sort.ts';
import { isCleanText } from '../kernel/text.ts';
import type { CodeSandbox, Program } from './code-sandbox.ts';
import {
  KIND_OF,
  MODEL_TYPE_OF,
  type NewScorer,
  type Scorer,
  type ScorerRecord,
  type ScorerVersion,
  type ScorerVersionRecord,
  storedVersionOf,
  versionOf,
} from './scorer.ts';
import type { ScorerListFilter, ScorerStore } from './scorer-store.ts';

export interface ScorerDeps {
  readonly scorerStore: ScorerStore;
  readonly codeSandbox: CodeSandbox;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** An uploaded source file: its name tells the language, its bytes have to be UTF-8. */
export interface SourceFile {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** Settings that a run may override. */
const INCLUDED_FIELDS = [
  'model_name',
  'num_judges',
  'filters',
  'scoreable_node_types',
  'cot_enabled',
  'output_type',
  'input_type',
];
/** A record that every scorer has to survive without the sandbox refusing the program. */
const PROBE = JSON.stringify({
  type: 'trace',
  id: '',
  name: '',
  input: '',
  output: '',
  tags: [],
  metrics: {},
  user_metadata: {},
});

/** Scorers and their versions. Everyone in the organisation sees them; who made one, and managers, change it. */
export class ScorerService {
  readonly #deps: ScorerDeps;

  constructor(deps: ScorerDeps) {
    this.#deps = deps;
  }

  async create(caller: Caller, input: NewScorer): Promise<Scorer> {
    const { scorerStore, authorizer, auditTrail, transactions } = this.#deps;
    authorizer.demandInOrganization(caller, 'create_object');
    const now = this.#deps.clock().toISOString();
    const scorer: ScorerRecord = {
      id: this.#deps.newId(),
      name: input.name,
      scorer_type: input.scorer_type,
      description: input.description ?? '',
      tags: input.tags ?? [],
      defaults: input.defaults ?? null,
      model_type: input.model_type ?? MODEL_TYPE_OF[input.scorer_type],
      ground_truth: input.ground_truth ?? null,
      default_version_id: null,
      user_prompt: input.user_prompt ?? null,
      scoreable_node_types: input.scoreable_node_types ?? null,
      output_type: input.output_type ?? null,
      input_type: input.input_type ?? null,
      required_scorers: input.required_scorers ?? null,
      created_by: caller.user_id,
      created_at: now,
      updated_at: now,
    };
    await transactions.run(async () => {
      await scorerStore.insert(scorer);
      const details = { name: scorer.name, scorer_type: scorer.scorer_type };
      await auditTrail.note(caller, { action: 'scorer.create', object_kind: 'scorer', object_id: scorer.id, details });
    });
    return scorerView(scorer, undefined, undefined);
  }

  async get(_caller: Caller, id: string): Promise<Scorer> {
    const [view] = await this.#views([await this.#scorer(id)]);
    return view!;
  }

  async list(
    _caller: Caller,
    filters: readonly ScorerListFilter[],
    sort: Sort<'name'>,
    request: PageRequest,
  ): Promise<PageFields & { scorers: Scorer[] }> {
    const { items, page } = pageOf(await this.#deps.scorerStore.list(filters, sort, request), request);
    return { ...page, scorers: await this.#views(items) };
  }

  /** A version by number, or the latest. */
  async getVersion(_caller: Caller, scorer_id: string, version?: number): Promise<ScorerVersion> {
    const scorer = await this.#scorer(scorer_id);
    const found = await this.#deps.scorerStore.findVersionOf(scorer_id, version);
    if (!found) throw new AppError('not_found', 'scorer_version_not_found', `scorer ${scorer_id} has no such version`);
    return versionOf(found, scorer);
  }

  /** The source of a code version, as it was uploaded. */
  async getCode(caller: Caller, scorer_id: string, version?: number): Promise<string> {
    const { id } = await this.getVersion(caller, scorer_id, version);
    const { definition } = (await this.#deps.scorerStore.findVersion(id))!;
    if (typeof definition.source !== 'string')
      throw new AppError('not_found', 'scorer_version_not_found', 'this version has no code');
    return definition.source;
  }

  /**
   * Adds a code version. The program is run once over an empty record, so that one which does not compile or defines
   * no scorer is refused here and not on the first trace. The first version becomes the default.
   */
  async addCodeVersion(caller: Caller, scorer_id: string, file: SourceFile): Promise<ScorerVersion> {
    const scorer = await this.#scorer(scorer_id);
    this.#deps.authorizer.demandOnOwn(caller, scorer.created_by, 'scorer');
    if (scorer.scorer_type !== 'code')
      throw unfit('scorer_type_unfit', `scorer "${scorer.name}" is of type ${scorer.scorer_type}, not code`);
    const program = programOf(file);
    const [outcome] = await this.#deps.codeSandbox.run(program, [PROBE]);
    if (outcome?.kind === 'refused') throw unfit('code_refused', outcome.message);
    const now = this.#deps.clock().toISOString();
    const { scorerStore, auditTrail, transactions, newId } = this.#deps;
    const version = await transactions.run(async () => {
      const added = await scorerStore.insertVersion({
        id: newId(),
        scorer_id,
        kind: KIND_OF.code,
        definition: { ...program },
        model_name: null,
        num_judges: null,
        scoreable_node_types: scorer.scoreable_node_types,
        cot_enabled: null,
        output_type: scorer.output_type,
        input_type: scorer.input_type,
        created_by: caller.user_id,
        created_at: now,
        updated_at: now,
      });
      if (scorer.default_version_id === null) await scorerStore.setDefaultVersion(scorer_id, added.id, now);
      const details = { version: added.version };
      await auditTrail.note(caller, { action: 'scorer_version.create', object_kind: 'scorer', object_id: scorer_id, details });
      return added;
    });
    return versionOf(version, scorer);
  }

  async #scorer(id: string): Promise<ScorerRecord> {
    const scorer = await this.#deps.scorerStore.find(id);
    if (!scorer) throw new AppError('not_found', 'scorer_not_found', `scorer ${id} does not exist`);
    return scorer;
  }

  async #views(scorers: readonly ScorerRecord[]): Promise<Scorer[]> {
    const { scorerStore } = this.#deps;
    const latest = new Map(
      (await scorerStore.latestVersions(scorers.map(({ id }) => id))).map((version) => [version.scorer_id, version]),
    );
    return Promise.all(
      scorers.map(async (scorer) => {
        const newest = latest.get(scorer.id);
        const isLatest = scorer.default_version_id === null || newest?.id === scorer.default_version_id;
        return scorerView(scorer, newest, isLatest ? newest : await scorerStore.findVersion(scorer.default_version_id!));
      }),
    );
  }
}

function scorerView(
  scorer: ScorerRecord,
  latest: ScorerVersionRecord | undefined,
  standard: ScorerVersionRecord | undefined,
): Scorer {
  return {
    ...scorer,
    tags: [...scorer.tags],
    scoreable_node_types: scorer.scoreable_node_types && [...scorer.scoreable_node_types],
    required_scorers: scorer.required_scorers && [...scorer.required_scorers],
    latest_version: latest ? storedVersionOf(latest, scorer) : null,
    default_version: standard ? storedVersionOf(standard, scorer) : null,
    label: scorer.name,
    included_fields: INCLUDED_FIELDS,
  };
}

function programOf({ filename, bytes }: SourceFile): Program {
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unfit('code_refused', 'the file is not valid UTF-8', cause);
  }
  if (source.trim() === '') throw unfit('code_refused', 'the file is empty');
  if (!isCleanText(source)) throw unfit('code_refused', 'the file contains a NUL');
  if (/\.py$/i.test(filename))
    throw unfit('code_refused', 'code scorers are written in JavaScript or TypeScript; this is a Python file');
  return { language: /\.[cm]?tsx?$/i.test(filename) ? 'typescript' : 'javascript', source };
}

const unfit = (type: string, msg: string, cause?: unknown): AppError =>
  new AppError('invalid', type, msg, { cause, issues: [{ loc: ['body', 'file'], msg, type }] });
