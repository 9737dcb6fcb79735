import type { z } from 'zod';
import type { Modality } from './modality.ts';
import type { Completion, CompletionRequest, ReadableFiles, TextMessage } from './model-provider.ts';
import type { PluginHead, PluginHost } from './plugin.ts';
import type { ScorerAudit } from './scorer-audit.ts';
import type { ScorerAutogen } from './scorer-autogen.ts';
import type { ScorerPreset } from './scorer-preset.ts';
import type { ScorerView } from './scorer-view.ts';

/** A value a scorer may give: numbers are finite, objects plain. */
export type ScoreValue =
  | number
  | boolean
  | string
  | readonly (number | boolean | string)[]
  | { readonly [label: string]: boolean };

/** Verdict of one judge of several. */
export interface Vote {
  readonly value: ScoreValue;
  readonly explanation?: string;
  /** Of a jury: the model that was asked, by the name that the version gives it, and how much its vote counts. */
  readonly model?: string;
  readonly weight?: number;
}

/** A juror whose vote is missing from a verdict, and why. */
export interface MissingVote {
  readonly model: string;
  readonly weight: number;
  readonly message: string;
}

/** Cost of a verdict: tokens and money of all calls for the record, failed and repeated ones too. */
export interface ScoreEffort {
  /** The model that answered, by its own name. */
  readonly model?: string;
  readonly num_judges?: number;
  /** The verdicts of all judges that answered, in the judges' order. */
  readonly votes?: readonly Vote[];
  /** The jurors of a jury that gave no verdict; the result is that of the others. */
  readonly missing_votes?: readonly MissingVote[];
  /** Share of the judges' verdicts that equal the result, 0 to 1; of a jury by weight. */
  readonly agreement?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  /** US dollars; null when a call's price is not known. */
  readonly cost?: number | null;
  /** Whether every answer came from the host's cache. */
  readonly cached?: boolean;
  /** Whether material was cut to fit. */
  readonly truncated?: boolean;
  readonly latency_ms?: number;
}

/**
 * Outcome of scoring one record. A scorer that fails on a record reports it here; it does not throw. `not_applicable`:
 * there is nothing to judge in it.
 */
export type ScoreOutcome =
  | {
      readonly status: 'success';
      readonly value: ScoreValue;
      readonly explanation?: string;
      readonly effort?: ScoreEffort;
      /** The text that a program printed, which is kept with a trial. */
      readonly printed?: string;
    }
  | {
      readonly status: 'failed' | 'not_applicable';
      readonly message: string;
      readonly effort?: ScoreEffort;
      readonly printed?: string;
    };

/** One run of untrusted code over one record: what the sandbox saw. Mirrors the host's own sandbox port. */
export type CodeOutcome =
  | {
      readonly kind: 'returned';
      readonly value: ScoreValue;
      /** Why, in the words of the program. */
      readonly explanation?: string;
      /** The text that the program printed meanwhile, for its author. */
      readonly printed?: string;
    }
  | { readonly kind: 'threw'; readonly message: string; readonly printed?: string }
  | { readonly kind: 'timed_out'; readonly message: string }
  | { readonly kind: 'out_of_memory'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

/** A record for user code as JSON text, with the JSON text of what the code is told besides it, its second argument. */
export type CodeInput = string | { readonly record: string; readonly context: string };

/** Source text of a program, and the id of the installed language that it is written in. */
export interface CodeProgram {
  readonly language: string;
  readonly source: string;
}

/** A file that records name, as far as the host has it. */
export interface JudgeFile {
  readonly id: string;
  readonly modality: Modality;
  /** Type of its bytes. */
  readonly media_type: string;
  readonly size_bytes: number;
  /** SHA-256 of its bytes, in hexadecimal digits; null where it is not known. */
  readonly sha256: string | null;
}

/** A message of a question. Its files are named by their ids: the host sends their bytes along. */
export interface JudgeMessage extends TextMessage {
  /** Ids of files that `ScorerKit.files` described, for a model whose `files` take them. */
  readonly file_ids?: readonly string[];
}

/** One question to a model. */
export interface JudgeCall extends Omit<CompletionRequest, 'model' | 'signal' | 'messages'> {
  readonly messages: readonly JudgeMessage[];
  /** Which of several judges asks, from 0: keeps their answers apart in the host's cache. */
  readonly judge: number;
  /**
   * Index of the item of the request that the question is about: the host keeps question and answer with its score. Not needed
   * where a request has one item.
   */
  readonly item?: number;
  /**
   * A random text that occurs in the messages to mark where material begins and ends, another one in each call. The host's
   * cache looks past it: calls that differ in nothing else are the same question.
   */
  readonly nonce?: string;
  readonly signal: AbortSignal;
  /** Whether the answer can be used: only then the host keeps it in its cache. */
  accept(completion: Completion): boolean;
}

export interface JudgeCompletion extends Completion {
  /** Of this call in US dollars, 0 from the cache; null when the model's price is not known. */
  readonly price: number | null;
  readonly cached: boolean;
}

/**
 * A model as the host's gateway gives it to scorers: calls are retried with jitter, limited by concurrency and a deadline, cached, and
 * counted in the spending ledger.
 */
export interface JudgeModel {
  /** Files that the model reads; none where absent. */
  readonly files?: ReadableFiles;
  /** Throws a PluginError when there is no answer after all tries, or when the budget for it is spent. */
  ask(call: JudgeCall): Promise<JudgeCompletion>;
}

/** How a model is chosen and called, beside its alias. */
export interface ModelChoice {
  /** The provider whose integration has to offer it; any where absent. */
  readonly provider?: string | undefined;
  /**
   * Whether a call fails while the provider is not to be called, because others answer in its place; else the job waits for the
   * provider.
   */
  readonly is_replaceable?: boolean;
}

/** Services of the host that a scorer may use. */
export interface ScorerKit extends PluginHost {
  /** The model behind an alias, with the credentials of the user who enabled the scorer. */
  model(alias: string, choice?: ModelChoice): Promise<JudgeModel>;
  /** Describes the files of these ids whose content the host has, in any order; the others are left out. */
  files(ids: readonly string[]): Promise<readonly JudgeFile[]>;
  /** Runs user code over records, in order; one outcome per record. The code cannot reach the host. */
  runCode(program: CodeProgram, records: readonly CodeInput[]): Promise<CodeOutcome[]>;
  /** Why the program cannot be run in its language, with the place; undefined when it can. */
  checkCode(program: CodeProgram): Promise<string | undefined>;
}

/** One record to judge, and what the host knows around it. */
export interface ScoreItem {
  /** The record as the API shows it, as JSON text. */
  readonly record: string;
  /**
   * The records that the kind asked for by `surroundings`, each as JSON text: of a trace the trace first, then its spans, by
   * start and parents before children; of a session its traces like that, one after the other. Absent when none were asked for.
   */
  readonly around?: readonly string[];
  /** Ground truth that the dataset row of the record names. */
  readonly ground_truth?: string;
  /** Values of the scorers this one requires, by name; null for one that gave none. */
  readonly required?: Readonly<Record<string, ScoreValue | null>>;
}

export interface ScoreRequest {
  readonly items: readonly ScoreItem[];
  readonly signal: AbortSignal;
}

export interface Scorer {
  /**
   * One outcome per item, in the items' order, the same whether an item comes alone or among others. Throws only a PluginError, and
   * only when no record could be judged; rejects with the signal's reason, and asks for nothing more, once it is aborted. Changes
   * nothing that it is given, and keeps nothing outside of what `create` returned: versions know nothing of each other.
   */
  score(request: ScoreRequest): Promise<ScoreOutcome[]>;
}

/** How far a scorer looks beyond the record itself. */
export type Surroundings = 'none' | 'trace' | 'session';

/** Kind of the judge: a language model, a small model trained for one metric, or a program in the sandbox. */
export type ModelType = 'llm' | 'slm' | 'code';

/** Settings that a run may set otherwise than the version it runs. */
export const RUN_SETTINGS = ['model_name', 'num_judges', 'cot_enabled', 'output_type', 'input_type'] as const;
export type RunSetting = (typeof RUN_SETTINGS)[number];

/** The scorer that a version is made for. */
export interface ScorerFacts {
  readonly output_type: string | null;
  readonly input_type: string | null;
  readonly ground_truth: boolean | null;
  readonly user_prompt: string | null;
  /** Initial settings of every run, such as `model_name`. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** A definition as it is sent, before its schema has seen it. */
export type SentDefinition = Readonly<Record<string, unknown>>;

/** One uploaded file. Its name is what the sender called it. */
export interface DefinitionFile {
  readonly filename: string;
  /** The media type that the sender gave. */
  readonly content_type?: string;
  readonly bytes: Uint8Array;
}

/** Services of the host that readers of uploaded definitions may use. */
export interface UploadHost {
  /**
   * The id of the installed code language of a program: the one that is named, else the one that the file's name or media type tells.
   * Throws a PluginError `unsupported`, which a plugin MUST let pass, when none is named or told so.
   */
  selectLanguage(file: DefinitionFile, named?: string): string;
}

/** How a definition comes in that is one uploaded file, and perhaps fields beside it. */
export interface DefinitionUpload<D extends z.ZodType = z.ZodType> {
  /** Fields of the form beside `file`: strings, each optional. */
  readonly fields?: z.ZodObject;
  /** The definition in a file. Throws a PluginError `unsupported` that says why there is none in it. */
  read(file: DefinitionFile, fields: Readonly<Record<string, unknown>>, host: UploadHost): SentDefinition;
  /** The text of the file, for whoever wants it back. */
  text(definition: z.output<D>): string;
}

/** Kinds of records to try a definition on before a version is made of it: made-up samples, records of a run, rows of a dataset. */
export const TRIAL_GROUNDS = ['samples', 'records', 'rows'] as const;
export type TrialGround = (typeof TRIAL_GROUNDS)[number];

/** A definition to try, and how. */
export interface TriedDefinition {
  readonly definition: SentDefinition;
  readonly scoreable_node_types?: readonly string[] | null | undefined;
  readonly required_scorers?: readonly string[] | null | undefined;
  readonly output_type?: string | null | undefined;
  /** Content of a sample record. */
  readonly input?: string | null | undefined;
  readonly output?: string | null | undefined;
}

/** How definitions of a kind are tried. */
export interface ScorerTrial<B extends z.ZodObject = z.ZodObject> {
  readonly on: readonly TrialGround[];
  /** For JSON bodies of a form of their own, in place of the definition in a field beside what the host takes. */
  readonly body?: B;
  read?(body: z.output<B>): TriedDefinition;
  /** Further name of the field in which the id of a trial on samples is given, beside `task_id`. */
  readonly task_field?: string;
}

/**
 * A way of judging records. The host makes the operation `POST /v2/scorers/{scorer_id}/version/<id>` of it, adds its id to the
 * values of `scorer_type`, and stores, shows and checks versions by its `definition`.
 */
export interface ScorerKindPlugin<D extends z.ZodType = z.ZodType> extends PluginHead {
  readonly kind: 'scorer_kind';
  /** The name to show. */
  readonly label: string;
  /** Further values of `scorer_type`; scorers are shown with the first of them, else with the id. */
  readonly aliases?: readonly string[];
  /** Further paths below `/version/` that versions are made at. */
  readonly former_paths?: readonly string[];
  /** Kind of the judge; absent where the plugin judges without any. Programs share few processes and are scored before all else. */
  readonly model_type?: ModelType;
  /** Schema of a version's definition, without secrets: checks requests, is stored, shown, and made into a form. */
  readonly definition: D;
  /** Absent: the definition is the JSON body of the request. */
  readonly upload?: DefinitionUpload<D>;
  /** Absent: definitions can be tried on everything. */
  readonly trial?: ScorerTrial;
  /** Absent: all of the definition is shown, as it is stored. */
  readonly view?: ScorerView<D>;
  /** For kinds that a model can write: adds the operation `POST /v2/scorers/<id>/autogen`. */
  readonly autogen?: ScorerAutogen;
  /** For kinds that ask language models: their versions can be tested for bias. Absent: they cannot. */
  readonly audit?: ScorerAudit<D>;
  /** Settings of a run that its `definition` heeds; `output_type` is held to by the host in any case. */
  readonly run_settings?: readonly RunSetting[];
  /** Scorers that exist from the first start. */
  readonly presets?: readonly ScorerPreset[];
  /** Returns which records `ScoreItem.around` has to hold for a version; absent means `none`. */
  surroundings?(definition: z.output<D>): Surroundings;
  /** The definition as it is sent, with what the scorer says where it says nothing. */
  complete?(sent: SentDefinition, scorer: ScorerFacts): SentDefinition;
  /** Why no record can be judged by a definition that fits the schema, for its author; undefined when nothing is wrong. */
  refusal?(kit: ScorerKit, definition: z.output<D>): Promise<string | undefined>;
  create(kit: ScorerKit, definition: z.output<D>): Scorer;
}

export function defineScorerKind<D extends z.ZodType>(plugin: Omit<ScorerKindPlugin<D>, 'kind'>): ScorerKindPlugin<D> {
  return Object.freeze({ ...plugin, kind: 'scorer_kind' as const });
}
