import { z } from 'zod';
import type { AuditEvent } from '../access/audit/audit.ts';
import { UserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import { WantedName } from '../kernel/free-name.ts';
import { Permission } from '../kernel/permission.ts';
import { Id } from '../kernel/text.ts';
import { ColumnMapping } from './column-mapping.ts';

/** Actions that a caller may be allowed on a dataset; lists report the actions that were asked for. */
export const DatasetAction = z.enum(['update', 'delete', 'share', 'export', 'rename']);
export type DatasetAction = z.output<typeof DatasetAction>;

/** A dataset as stored. What changes with its content is that of its current version. */
export interface StoredDataset {
  readonly id: string;
  readonly name: string;
  /** Uploaded, but not yet taken into use. */
  readonly draft: boolean;
  /** Found by its id alone: lists pass it by. */
  readonly hidden: boolean;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly current_version_index: number;
  readonly num_rows: number;
  readonly column_names: readonly string[];
}

export const Dataset = z
  .object({
    id: z.string(),
    permissions: z.array(Permission),
    name: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    /** Projects that use it, as far as the caller sees them. */
    project_count: z.int(),
    num_rows: z.int().nullable(),
    column_names: z.array(z.string()).nullable(),
    created_by_user: UserSummary.nullable(),
    current_version_index: z.int(),
    draft: z.boolean(),
  })
  .meta({ id: 'Dataset' });
export type Dataset = z.output<typeof Dataset>;

/** Absent and null fields stay as they are. A draft can be published, what is published stays so. */
export const DatasetUpdate = z
  .object({ name: WantedName.nullish(), column_mapping: ColumnMapping.nullish(), draft: z.literal(false).nullish() })
  .meta({ id: 'DatasetUpdate' });
export type DatasetUpdate = z.output<typeof DatasetUpdate>;

/** Description of a dataset that is being made, whatever its rows come from. */
export interface NewDataset {
  readonly name: string;
  readonly draft: boolean;
  readonly hidden: boolean;
  readonly append_suffix_if_duplicate: boolean;
  /** The dataset is used in this project from the start. */
  readonly project_id: string | null;
}

/** A project as the list of those that use a dataset shows it. */
export const ProjectOfDataset = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    created_by_user: UserSummary.nullable(),
  })
  .meta({ id: 'ProjectOfDataset' });
export type ProjectOfDataset = z.output<typeof ProjectOfDataset>;

export const DatasetsToDelete = z.object({ dataset_ids: z.array(Id).min(1).max(100) }).meta({ id: 'DatasetsToDelete' });

export const DeletedDatasets = z
  .object({
    deleted_count: z.int(),
    failed_deletions: z.array(z.object({ dataset_id: z.string(), dataset_name: z.string(), reason: z.string() })),
    message: z.string(),
  })
  .meta({ id: 'DeletedDatasets' });
export type DeletedDatasets = z.output<typeof DeletedDatasets>;

export const datasetNotFound = (id: string): AppError =>
  new AppError('not_found', 'dataset_not_found', `dataset ${id} does not exist`);

export const datasetExists = (): AppError => new AppError('conflict', 'dataset_exists', 'a dataset with this name exists');

export const datasetEvent = (verb: string, id: string, details: AuditEvent['details'] = {}): AuditEvent => ({
  action: `dataset.${verb}`,
  object_kind: 'dataset',
  object_id: id,
  details,
});
