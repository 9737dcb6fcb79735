import { collaboratorRoutesOf } from '../../adapters/http/access/collaborator-routes.ts';
import { projectTemplateRoutes } from '../../adapters/http/prompts/project-template-routes.ts';
import { promptUsageRoutes } from '../../adapters/http/prompts/prompt-usage-routes.ts';
import { renderRoutes } from '../../adapters/http/prompts/render-routes.ts';
import { templateLabelRoutes } from '../../adapters/http/prompts/template-label-routes.ts';
import { templateRoutes } from '../../adapters/http/prompts/template-routes.ts';
import { ProjectTemplateService } from '../../core/prompts/project-template-service.ts';
import { PromptLinks } from '../../core/prompts/prompt-links.ts';
import { PromptUsageService } from '../../core/prompts/prompt-usage-service.ts';
import { RenderService } from '../../core/prompts/render-service.ts';
import { TemplateLabelService } from '../../core/prompts/template-label-service.ts';
import { TemplateService } from '../../core/prompts/template-service.ts';
import { TemplateVersionService } from '../../core/prompts/template-version-service.ts';
import { capability, singleton } from './registration.ts';

export const prompts = capability({
  services: {
    templateService: singleton(TemplateService),
    templateVersionService: singleton(TemplateVersionService),
    templateLabelService: singleton(TemplateLabelService),
    projectTemplateService: singleton(ProjectTemplateService),
    renderService: singleton(RenderService),
    promptLinks: singleton(PromptLinks),
    promptUsageService: singleton(PromptUsageService),
  },
  routes: [
    templateRoutes,
    templateLabelRoutes,
    projectTemplateRoutes,
    promptUsageRoutes,
    renderRoutes,
    collaboratorRoutesOf('template'),
  ],
});
