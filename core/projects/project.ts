import { z } from 'zod';
import { UserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import { withDefault } from '../kernel/optional.ts';
import { Permission } from '../kernel/permission.ts';
import {
  customBooleanFilter,
  dateFilter,
  enumFilter,
  type Filter,
  filterList,
  idFilter,
  numberFilter,
  stringFilter,
} from '../kernel/query/filter.ts';
import { type Sort, sortBy } from '../kernel/query/sort.ts';
import { cleanText, Id, Name } from '../kernel/text.ts';

const PROJECT_TYPES = ['training_inference', 'prompt_evaluation', 'llm_monitor', 'guardrail', 'gen_ai'] as const;
export const ProjectType = z.enum(PROJECT_TYPES);
export type ProjectType = z.output<typeof ProjectType>;
export const DEFAULT_PROJECT_TYPE: ProjectType = 'training_inference';

/** A project as stored. */
export interface StoredProject {
  readonly id: string;
  readonly name: string;
  readonly type: ProjectType;
  /** Nobody chose the type: such a project is found by its name whatever type is asked for. */
  readonly type_is_default: boolean;
  readonly created_by: string;
  readonly description: string | null;
  readonly labels: string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** A project as the short lists show it. */
export const ThinProject = z
  .object({
    id: z.string(),
    permissions: z.array(Permission),
    name: z.string(),
    type: ProjectType,
    created_by: z.string(),
    /** Always empty: a run carries the full record of its creator, organisation included, and there is none. */
    runs: z.array(z.unknown()),
    created_at: z.string(),
    updated_at: z.string(),
    bookmark: z.boolean(),
  })
  .meta({ id: 'ThinProject' });
export type ThinProject = z.output<typeof ThinProject>;

export const Project = ThinProject.extend({
  created_by_user: UserSummary,
  description: z.string().nullable(),
  labels: z.array(z.string()),
}).meta({ id: 'Project' });
export type Project = z.output<typeof Project>;

export const NewProject = z
  .object({
    name: Name,
    /** `training_inference` by default. */
    type: ProjectType.nullish(),
    created_by: Id.nullish(),
    create_example_templates: withDefault(z.boolean(), false),
  })
  .meta({ id: 'NewProject' });
export type NewProject = z.output<typeof NewProject>;

/** Reply to the creation of a project. */
export const CreatedProject = z
  .object({
    id: z.string(),
    name: z.string(),
    type: ProjectType,
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'CreatedProject' });
export type CreatedProject = z.output<typeof CreatedProject>;

/** Absent and null fields stay as they are; an empty description takes it away. */
export const ProjectUpdate = z
  .object({
    name: Name.nullish(),
    created_by: Id.nullish(),
    type: ProjectType.nullish(),
    labels: z.array(cleanText(1, 255)).max(100).nullish(),
    description: cleanText(0, 10_000).nullish(),
  })
  .meta({ id: 'ProjectUpdate' });
export type ProjectUpdate = z.output<typeof ProjectUpdate>;

export const UpdatedProject = CreatedProject.extend({
  labels: z.array(z.string()),
  description: z.string().nullable(),
}).meta({ id: 'UpdatedProject' });
export type UpdatedProject = z.output<typeof UpdatedProject>;

export type ProjectFilterName = 'id' | 'name' | 'type' | 'creator' | 'created_at' | 'updated_at' | 'runs' | 'bookmark';
export type ProjectFilter = Filter<ProjectFilterName>;
export type ProjectSortName = 'name' | 'type' | 'created_at' | 'updated_at' | 'runs' | 'bookmark';
export type ProjectSort = Sort<ProjectSortName>;

const ProjectFilterSchema = z.discriminatedUnion('name', [
  idFilter('id'),
  stringFilter('name'),
  enumFilter('type', PROJECT_TYPES),
  idFilter('creator'),
  dateFilter('created_at'),
  dateFilter('updated_at'),
  numberFilter('runs'),
  customBooleanFilter('bookmark'),
]);

export const NEWEST_PROJECTS_FIRST: ProjectSort = { name: 'created_at', ascending: false };

export const ProjectSearch = z
  .object({
    filters: filterList(ProjectFilterSchema),
    sort: sortBy(
      { name: 'column', type: 'column', created_at: 'column', updated_at: 'column', runs: 'custom', bookmark: 'custom' },
      NEWEST_PROJECTS_FIRST,
    ),
  })
  .meta({ id: 'ProjectSearch' });
export type ProjectSearch = z.output<typeof ProjectSearch>;

export const projectNotFound = (id: string): AppError =>
  new AppError('not_found', 'project_not_found', `project ${id} does not exist`);
