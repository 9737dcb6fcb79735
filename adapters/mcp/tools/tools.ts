import type { Tool } from '../tool.ts';
import { datasetTools } from './dataset-tools.ts';
import { experimentTools } from './experiment-tools.ts';
import { failureTools } from './failure-tools.ts';
import { projectTools } from './project-tools.ts';
import { scorerTools } from './scorer-tools.ts';
import { traceTools } from './trace-tools.ts';

type Deps = Parameters<typeof projectTools>[0] &
  Parameters<typeof traceTools>[0] &
  Parameters<typeof failureTools>[0] &
  Parameters<typeof datasetTools>[0] &
  Parameters<typeof experimentTools>[0] &
  Parameters<typeof scorerTools>[0];

/** All tools, in the order in which a reader would come to need them. */
export const mcpTools = (deps: Deps): Tool[] =>
  [projectTools, traceTools, failureTools, datasetTools, experimentTools, scorerTools].flatMap((make) => make(deps));
