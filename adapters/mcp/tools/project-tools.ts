import { z } from 'zod';
import type { LogStreamService } from '../../../core/projects/log-stream-service.ts';
import { ProjectSearch } from '../../../core/projects/project.ts';
import type { ProjectService } from '../../../core/projects/project-service.ts';
import { type Tool, tool } from '../tool.ts';
import { page, project_id } from './inputs.ts';

interface Deps {
  readonly projectService: ProjectService;
  readonly logStreamService: LogStreamService;
}

/** Where records are. */
export const projectTools = ({ projectService, logStreamService }: Deps): Tool[] => [
  tool({
    name: 'list_projects',
    title: 'List projects',
    description: 'Projects that you may read, newest first. Begin here: most tools ask for a project_id.',
    input: z.object({ name_contains: z.string().min(1).max(255).optional(), ...page }),
    call: async (caller, { name_contains, ...wanted }) => {
      const filters = name_contains ? [{ name: 'name', operator: 'contains', value: name_contains, case_sensitive: false }] : [];
      const found = await projectService.searchProjects(caller, ProjectSearch.parse({ filters }), wanted, []);
      const projects = found.projects.map(({ id, name, type, created_at, description }) => ({
        id,
        name,
        type,
        created_at,
        description,
      }));
      return { projects, next_starting_token: found.next_starting_token };
    },
  }),
  tool({
    name: 'list_log_streams',
    title: 'List log streams',
    description: 'Log streams of a project, newest first: what an application logged, with counts of traces and spans.',
    input: z.object({ project_id, ...page }),
    call: async (caller, { project_id, ...wanted }) => {
      const found = await logStreamService.listLogStreamPage(caller, project_id, wanted, true);
      const log_streams = found.log_streams.map(({ id, name, created_at, updated_at, num_traces, num_spans }) => ({
        id,
        name,
        created_at,
        updated_at,
        num_traces,
        num_spans,
      }));
      return { log_streams, next_starting_token: found.next_starting_token };
    },
  }),
];
