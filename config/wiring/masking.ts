import { maskingRoutes } from '../../adapters/http/masking/masking-routes.ts';
import { MaskingService } from '../../core/masking/masking-service.ts';
import { ProjectMasking } from '../../core/masking/project-masking.ts';
import { capability, singleton } from './registration.ts';

export const masking = capability({
  services: {
    projectMasking: singleton(ProjectMasking),
    maskingService: singleton(MaskingService),
  },
  routes: [maskingRoutes],
});
