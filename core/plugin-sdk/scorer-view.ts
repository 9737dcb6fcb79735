import type { z } from 'zod';

/** The version that a view is of, and its scorer. */
export interface ShownVersion {
  readonly id: string;
  /** Of the scorer. */
  readonly name: string;
  /** Whether the scorer has existed since the first start. */
  readonly is_preset: boolean;
  readonly scoreable_node_types: readonly string[] | null;
  readonly multimodal_capabilities: readonly string[];
  readonly created_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Fields of a version that belong to one kind: null in versions of all others. */
export interface ViewFields {
  /** Wherever a version is shown, as in lists of scorers. What `show` gives beyond these is left out there. */
  readonly short: z.ZodObject;
  /** Where a version is read by itself: those of `short`, with more in them, and further ones. */
  readonly full: z.ZodObject;
}

/** View of a version in place of its whole definition. */
export interface ScorerView<D extends z.ZodType = z.ZodType> {
  /** For kinds whose versions clients know by fields of their own. Absent: what is shown stands in \`definition\`. */
  readonly fields?: ViewFields;
  /**
   * A plain object that JSON can hold, with a value for each of the fields that are shown: one that is left out is null. The
   * definition is as the schema made it when the version was stored, perhaps in an earlier release of the kind. Must not throw, nor
   * take long: it is called for every version in a list. Where it gives what was not declared, the host logs that, and shows the
   * stored definition instead.
   */
  show(definition: z.output<D>, version: ShownVersion): Readonly<Record<string, unknown>>;
}
