import { savedViewRoutes } from '../../adapters/http/saved-views/saved-view-routes.ts';
import { SavedViewService } from '../../core/saved-views/saved-view-service.ts';
import { capability, singleton } from './registration.ts';

export const savedViews = capability({
  services: { savedViewService: singleton(SavedViewService) },
  routes: [savedViewRoutes],
});
