import type { JsonObject, JsonValue } from '../../core/kernel/json.ts';
import type { SourceRow } from './source-row.ts';

/**
 * The neutral shapes that exports of other products are read into. A span is one of OpenTelemetry with the attributes that the
 * product's own instrumentation would have sent: the dialects of the service read it, as they read what comes live.
 */
export interface ImportedSpan {
  readonly kind: 'span';
  /** 32 hexadecimal digits. */
  readonly trace_id: string;
  /** 16 hexadecimal digits. */
  readonly span_id: string;
  readonly parent_id: string | null;
  /** Id of the span in the other product. */
  readonly source_id: string;
  readonly name: string;
  /** Nanoseconds since 1970 in digits; null where it is not known. */
  readonly start: string | null;
  readonly end: string | null;
  readonly attributes: JsonObject;
  readonly events?: readonly ImportedEvent[];
  /** Name of the library that made the span, where the export says it. */
  readonly scope?: string;
  readonly failed?: boolean;
  readonly error?: string | null;
}

export interface ImportedEvent {
  readonly name: string;
  readonly time: string | null;
  readonly attributes: JsonObject;
}

/** Facts of a trace beyond its spans; several of one trace are laid over each other, the earlier ones first. */
export interface ImportedTrace {
  readonly kind: 'trace';
  readonly trace_id: string;
  readonly source_id: string;
  readonly name?: string | undefined;
  readonly start?: string | null;
  readonly end?: string | null;
  readonly input?: JsonValue | undefined;
  readonly output?: JsonValue | undefined;
  readonly tags?: readonly string[];
  readonly session?: string | undefined;
  readonly user_id?: string | undefined;
  readonly metadata?: JsonObject;
  readonly failed?: boolean;
}

/** A judgement of a trace, a span or a session. */
export interface ImportedScore {
  readonly kind: 'score';
  /** Absent where the export names the span alone. */
  readonly trace_id?: string | undefined;
  readonly span_id?: string | undefined;
  /** Id of the span in the other product, for a score that names no trace. */
  readonly source_span?: string | undefined;
  readonly session?: string | undefined;
  readonly name: string;
  readonly value: number | boolean | string | readonly string[];
  readonly explanation?: string | undefined;
  /** The name of a category beside a number. */
  readonly label?: string | undefined;
  /** Who judged: people rate, programs measure. */
  readonly by: 'person' | 'program';
  /** When, in any form that sorts; the newest of a name counts. */
  readonly at?: string | undefined;
}

export interface ImportedDataset {
  readonly kind: 'dataset';
  /** By what rows name it. */
  readonly key: string;
  readonly name: string;
}

export interface ImportedRow {
  readonly kind: 'row';
  readonly dataset: string;
  readonly source_id: string;
  readonly values: JsonObject;
}

export interface ImportedPrompt {
  readonly kind: 'prompt';
  readonly name: string;
  /** Absent where versions have no numbers: then they are numbered by their order in time. */
  readonly version?: number;
  /** By which the other product names the version, where it is not the number. */
  readonly commit?: { readonly id: string; readonly parent?: string | undefined; readonly at?: string | undefined };
  readonly content: string | readonly JsonObject[];
  readonly labels: readonly string[];
  readonly settings: JsonObject;
  readonly message?: string | undefined;
}

/** A label of a version that is named by its commit. */
export interface ImportedLabel {
  readonly kind: 'label';
  readonly commit: string;
  readonly label: string;
}

export type Imported =
  | ImportedLabel
  | ImportedSpan
  | ImportedTrace
  | ImportedScore
  | ImportedDataset
  | ImportedRow
  | ImportedPrompt;

/** Facts of the file that a row comes from, and of what is asked for. */
export interface RowContext {
  readonly file: string;
  /** Place of the row in its file. */
  readonly place: string;
  /** The dataset that rows belong to which name none. */
  readonly dataset: string | undefined;
  /** Counts something that does not arrive, under words for people. */
  leaveOut(what: string): void;
}

/** A product whose exports are read. */
export interface Product {
  readonly id: string;
  readonly label: string;
  /** Whether its scores may name a span and no trace. */
  readonly hasLooseScores?: boolean;
  /** Rows that stand for many: a page of an API, a trace with its spans inside. */
  expand(row: JsonObject): readonly JsonObject[];
  /** Undefined for a row that is nothing of this product. */
  map(row: SourceRow, context: RowContext): readonly Imported[] | undefined;
}
