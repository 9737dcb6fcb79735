import type {
  CodeOutcome,
  ScoreItem,
  ScoreOutcome,
  Scorer,
  ScorerKindPlugin,
  ScorerKit,
  z,
} from '../../core/plugin-sdk/index.ts';
import type { Fixed } from '../check.ts';
import { FakeModel, type FakeReply } from '../fake-model.ts';
import { closeWaysPast, type WaysPast } from '../ways-past.ts';

/** Facts that the kit needs to try a kind of scorers. */
export interface ScorerKindCase<D extends z.ZodType> {
  readonly plugin: ScorerKindPlugin<D>;
  /** A definition that its schema accepts. */
  readonly definition: Fixed<z.input<D>>;
  /** A definition that judges otherwise, where the kit cannot make one by raising the numbers of `definition`. */
  readonly otherDefinition?: Fixed<z.input<D>>;
  /** A body that a trial of the kind is read from; for kinds with a form of their own. */
  readonly trialBody?: Readonly<Record<string, unknown>>;
  /** Name of the file of `definition`, and the fields beside it; for kinds whose definitions are files. */
  readonly upload?: { readonly filename: string; readonly fields?: Readonly<Record<string, string>> };
  /** Reply of a model that is to write a definition; for kinds with `autogen`. */
  readonly written?: string;
  /** Outcomes of the host's sandbox, one per record; for kinds that run code. */
  readonly codeOutcomes?: readonly CodeOutcome[];
  /** Reply of the host's model; for kinds that call one. */
  readonly reply?: FakeReply;
  /** The records to score, alone or with what is known around them, and what is expected of each. */
  readonly records: readonly (string | ScoreItem)[];
  readonly expected: readonly ScoreOutcome[];
}

/** State that the checks of one kind share. */
export interface ScorerStage {
  readonly items: readonly ScoreItem[];
  readonly kit: ScorerKit;
  /** Calls of the kit's services. */
  readonly calls: string[];
  readonly model: FakeModel | undefined;
  /** The attempts to reach the network without the host. */
  readonly past: readonly string[];
  create(definition?: unknown): Scorer;
  score(items: readonly ScoreItem[], signal?: AbortSignal): Promise<ScoreOutcome[]>;
  /** Has the host's model fail, or the sandbox begin with the outcome of this record, until the next check. */
  set(next: { readonly modelFails?: Error; readonly codeFrom?: number }): void;
  open(): Promise<void>;
  reset(): void;
  close(): Promise<void>;
}

/** The model and the sandbox of a kind under trial, and the ways past them closed. */
export function openScorerStage<D extends z.ZodType>(given: ScorerKindCase<D>): ScorerStage {
  const { plugin, reply, codeOutcomes = [] } = given;
  let past: WaysPast | undefined;
  let fails: Error | undefined;
  let codeFrom = 0;
  const model = reply === undefined ? undefined : new FakeModel(() => (fails as FakeReply | undefined) ?? reply);
  const calls: string[] = [];
  const kit: ScorerKit = {
    fetch: async () => {
      calls.push('fetch');
      throw new TypeError('no network in the kit');
    },
    clock: () => new Date('2026-01-01T00:00:00Z'),
    log: () => {},
    model: async (alias) => {
      calls.push(`model ${alias}`);
      if (!model) throw new Error('the kit has no model');
      return model;
    },
    files: async (ids) => {
      calls.push(`files ${ids.length}`);
      return [];
    },
    checkCode: async () => {
      calls.push('checkCode');
      return undefined;
    },
    runCode: async (_program, records) => {
      calls.push(`runCode ${records.length}`);
      const from = codeFrom;
      return records.map(
        (_, index) => codeOutcomes[(from + index) % codeOutcomes.length] ?? { kind: 'refused', message: 'no code' },
      );
    },
  };
  const stage: ScorerStage = {
    items: given.records.map((record) => (typeof record === 'string' ? { record } : record)),
    kit,
    calls,
    model,
    get past() {
      return past?.attempts ?? [];
    },
    create: (definition = given.definition) => plugin.create(kit, plugin.definition.parse(definition)),
    score: async (items, signal = new AbortController().signal) => stage.create().score({ items, signal }),
    set(next) {
      fails = next.modelFails;
      codeFrom = next.codeFrom ?? 0;
    },
    async open() {
      past = closeWaysPast(plugin.id);
    },
    reset() {
      calls.length = 0;
      if (model) model.calls.length = 0;
      if (past) past.attempts.length = 0;
      stage.set({});
    },
    async close() {
      past?.reopen();
    },
  };
  return stage;
}
