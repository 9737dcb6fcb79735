import { access } from './access.ts';
import { annotation } from './annotation.ts';
import { bookmarks } from './bookmarks.ts';
import { columns } from './columns.ts';
import { comments } from './comments.ts';
import { dataExport } from './data-export.ts';
import { datasets } from './datasets.ts';
import { experiments } from './experiments.ts';
import { files } from './files.ts';
import { health } from './health.ts';
import { identity } from './identity.ts';
import { insights } from './insights.ts';
import { integrations } from './integrations.ts';
import { jobs } from './jobs.ts';
import { kernel } from './kernel.ts';
import { masking } from './masking.ts';
import { mcp } from './mcp.ts';
import { models } from './models.ts';
import { otel } from './otel.ts';
import { projects } from './projects.ts';
import { prompts } from './prompts.ts';
import { ratings } from './ratings.ts';
import { recordIndex } from './record-index.ts';
import { savedViews } from './saved-views.ts';
import { scorers } from './scorers.ts';
import { traces } from './traces.ts';
import { trends } from './trends.ts';

export const CAPABILITIES = [
  kernel,
  access,
  identity,
  projects,
  files,
  traces,
  recordIndex,
  otel,
  scorers,
  columns,
  integrations,
  models,
  datasets,
  experiments,
  prompts,
  ratings,
  bookmarks,
  comments,
  annotation,
  health,
  trends,
  insights,
  masking,
  savedViews,
  dataExport,
  jobs,
  mcp,
] as const;
