import { collaboratorRoutesOf } from '../../adapters/http/access/collaborator-routes.ts';
import { logStreamRoutes } from '../../adapters/http/projects/log-stream-routes.ts';
import { projectRoutes } from '../../adapters/http/projects/project-routes.ts';
import { LogStreamService } from '../../core/projects/log-stream-service.ts';
import { ProjectService } from '../../core/projects/project-service.ts';
import { capability, singleton } from './registration.ts';

export const projects = capability({
  services: {
    projectService: singleton(ProjectService),
    logStreamService: singleton(LogStreamService),
  },
  routes: [projectRoutes, logStreamRoutes, collaboratorRoutesOf('project')],
});
