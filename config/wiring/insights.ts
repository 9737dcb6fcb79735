import { insightsRoutes } from '../../adapters/http/insights/insights-routes.ts';
import { InsightScan } from '../../core/insights/insight-scan.ts';
import { InsightsService } from '../../core/insights/insights-service.ts';
import { capability, singleton } from './registration.ts';

export const insights = capability({
  services: {
    insightsService: singleton(InsightsService),
    insightScan: singleton(InsightScan),
  },
  routes: [insightsRoutes],
  background: [
    ({ insightScan }: { insightScan: InsightScan }) => ({
      name: 'look for insights',
      work: () => insightScan.run(),
      idleDelayMs: 5_000,
    }),
  ],
});
