import { z } from 'zod';
import { UserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import { sortBy } from '../kernel/query/sort.ts';
import { Name } from '../kernel/text.ts';
import type { Block } from './block.ts';

/** A column of a dataset. The key stays while the name may change; no other column of the dataset ever gets it. */
export interface Column {
  readonly key: number;
  readonly name: string;
}

/** Counts of a version's changes against the one before it. In the first one, everything was added. */
export interface VersionCounters {
  readonly rows_added: number;
  readonly rows_removed: number;
  readonly rows_edited: number;
  readonly columns_added: number;
  readonly columns_removed: number;
  readonly columns_renamed: number;
}

/** A version as stored. Only its name ever changes. */
export interface StoredVersion extends VersionCounters {
  readonly dataset_id: string;
  readonly version_index: number;
  /** Names the version to those who edit: what they bring as `If-Match`. */
  readonly id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly created_by: string;
  readonly num_rows: number;
  readonly columns: readonly Column[];
}

/** The numbers that the next version of a dataset may give away. */
export interface NextNumbers {
  readonly revision: number;
  readonly block: number;
  readonly column: number;
  /** Positions for rows behind all others, and before all others, going down. */
  readonly last_position: number;
  readonly first_position: number;
}

/** Where a dataset stands: what the next version follows on. */
export interface VersionHead {
  readonly version: StoredVersion;
  readonly blocks: readonly Block[];
  readonly next: NextNumbers;
}

export const FIRST_NUMBERS: NextNumbers = { revision: 1, block: 1, column: 1, last_position: 1, first_position: 0 };

export const DatasetVersion = z
  .object({
    version_index: z.int(),
    name: z.string().nullable(),
    created_at: z.string(),
    created_by_user: UserSummary.nullable(),
    num_rows: z.int(),
    column_names: z.array(z.string()),
    rows_added: z.int(),
    rows_removed: z.int(),
    rows_edited: z.int(),
    columns_added: z.int(),
    columns_removed: z.int(),
    columns_renamed: z.int(),
  })
  .meta({ id: 'DatasetVersion' });
export type DatasetVersion = z.output<typeof DatasetVersion>;

export const VersionSearch = z
  .object({ sort: sortBy({ version_index: 'column' }, { name: 'version_index', ascending: false }) })
  .meta({ id: 'DatasetVersionSearch' });
export type VersionSearch = z.output<typeof VersionSearch>;

/** Null takes the name away. */
export const VersionUpdate = z.object({ name: Name.nullish() }).meta({ id: 'DatasetVersionUpdate' });
export type VersionUpdate = z.output<typeof VersionUpdate>;

export const versionNotFound = (index: number): AppError =>
  new AppError('not_found', 'dataset_version_not_found', `version ${index} of the dataset does not exist`);
