import { insightsRoutes } from '../../adapters/http/insights/insights-routes.ts';
import { InsightsLook } from '../../core/insights/insights-look.ts';
import { InsightsService } from '../../core/insights/insights-service.ts';
import { capability, singleton } from './registration.ts';

export const insights = capability({
  services: {
    insightsService: singleton(InsightsService),
    insightsLook: singleton(InsightsLook),
  },
  routes: [insightsRoutes],
  background: [
    ({ insightsLook }: { insightsLook: InsightsLook }) => ({
      name: 'look for insights',
      work: () => insightsLook.run(),
      restMs: 5_000,
    }),
  ],
});
