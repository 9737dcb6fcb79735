import type { Slice } from '../kernel/query/page.ts';
import type { StoredTemplate, StoredTemplateVersion } from './template.ts';
import type { StoredLabelMove, TemplateLabelHolder } from './template-label.ts';
import type { TemplateFilter, TemplateSort, TemplateVersionSort } from './template-query.ts';

export interface TemplateChanges {
  readonly name?: string;
  /** One that there is. */
  readonly selected_version?: number;
  readonly updated_at: string;
}

/** A version as programs name it. */
export interface NamedVersion {
  /** Of the template. */
  readonly name: string;
  /** A number or a label. */
  readonly wanted: string;
}

export interface FoundVersion extends NamedVersion {
  readonly id: string;
  readonly template_id: string;
  readonly version: number;
}

/**
 * Prompt templates with their versions, and the projects that use them. Values handed in or out belong to the caller. Uses in
 * projects that do not exist any more do not exist either.
 */
export interface TemplateStore {
  /** Adds a template with its first version. Rejects with AppError `conflict` when id or name is taken; the transaction under way goes on. */
  insert(template: Omit<StoredTemplate, 'selected' | 'versions'>, first: StoredTemplateVersion): Promise<void>;
  find(id: string): Promise<StoredTemplate | undefined>;
  /** As `find`; inside a transaction, nobody else changes the template until that ends. */
  hold(id: string): Promise<StoredTemplate | undefined>;
  /** Those of the names that are taken. */
  takenNames(names: readonly string[]): Promise<string[]>;
  /** Templates that are not hidden and pass all filters, in the order of the sort, ties by ascending id. */
  list(filters: readonly TemplateFilter[], sort: TemplateSort, slice?: Slice): Promise<StoredTemplate[]>;
  /** Returns the template as it is now, undefined when there is none. Rejects with AppError `conflict` when the name is taken. */
  update(id: string, changes: TemplateChanges): Promise<StoredTemplate | undefined>;
  /** Removes the template with its versions, labels and uses. Returns whether there was one. */
  remove(id: string): Promise<boolean>;

  /** The template MUST exist and have no version of this number. */
  insertVersion(version: StoredTemplateVersion): Promise<void>;
  findVersion(template_id: string, version: number): Promise<StoredTemplateVersion | undefined>;
  findVersionById(id: string): Promise<StoredTemplateVersion | undefined>;
  /** Versions by the name of their template and their number or a label of theirs, `latest` among them; those that there are not are left out. */
  findNamed(named: readonly NamedVersion[]): Promise<FoundVersion[]>;
  /** Versions by their ids, with the names of their templates; those that there are not are left out. */
  findNames(ids: readonly string[]): Promise<FoundVersion[]>;
  /** Ties by descending version. An unknown template has none. */
  listVersions(template_id: string, sort: TemplateVersionSort, slice: Slice): Promise<StoredTemplateVersion[]>;

  /**
   * Puts a label on a version, or takes it off, and keeps the move. The template MUST be held by the transaction under way.
   */
  moveLabel(move: StoredLabelMove): Promise<void>;
  /** Which versions have labels now, by label. */
  listLabels(template_ids: readonly string[]): Promise<TemplateLabelHolder[]>;
  /** The version that has the label. */
  findLabel(template_id: string, label: string): Promise<number | undefined>;
  /** Newest first. An unknown template has none. */
  listLabelMoves(template_id: string, slice: Slice): Promise<StoredLabelMove[]>;

  /** Notes that a project uses the template; once is as good as twice. */
  use(template_id: string, project_id: string): Promise<void>;
  isUsedIn(template_id: string, project_id: string): Promise<boolean>;
}
