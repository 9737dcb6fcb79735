import { setTimeout as sleep } from 'node:timers/promises';
import { budgetRoutes } from '../../adapters/http/models/budget-routes.ts';
import { llmIntegrationRoutes } from '../../adapters/http/models/llm-integration-routes.ts';
import { priceRoutes } from '../../adapters/http/models/price-routes.ts';
import { spendingRoutes } from '../../adapters/http/models/spending-routes.ts';
import type { AnswerCache } from '../../core/models/answer-cache.ts';
import { SpendingBudgetService } from '../../core/models/budgets/spending-budget-service.ts';
import { SpendingBudgets } from '../../core/models/budgets/spending-budgets.ts';
import { LlmIntegrationService } from '../../core/models/llm-integration-service.ts';
import { ModelDirectory } from '../../core/models/model-directory.ts';
import { ModelGateway } from '../../core/models/model-gateway.ts';
import { PriceBook } from '../../core/models/prices/price-book.ts';
import { PriceService } from '../../core/models/prices/price-service.ts';
import { ProjectPrices } from '../../core/models/prices/project-prices.ts';
import { ProviderCalls } from '../../core/models/provider-calls.ts';
import { ProviderOpener } from '../../core/models/provider-opener.ts';
import type { RetryClock } from '../../core/models/retry-policy.ts';
import { SpendingService } from '../../core/models/spending-service.ts';
import { readPublicPrices } from '../prices/public-prices.ts';
import { capability, factory, singleton, value } from './registration.ts';

const HOUR_MS = 60 * 60_000;

export const models = capability({
  services: {
    publicPrices: factory(readPublicPrices),
    priceBook: singleton(PriceBook),
    priceLookup: singleton(ProjectPrices),
    priceService: singleton(PriceService),
    spendingBudgets: singleton(SpendingBudgets),
    spendingBudgetService: singleton(SpendingBudgetService),
    retryClock: value<RetryClock>({ sleep: (ms, signal) => sleep(ms, undefined, { signal }), random: Math.random }),
    providerCalls: singleton(ProviderCalls),
    providerOpener: singleton(ProviderOpener),
    modelDirectory: singleton(ModelDirectory),
    modelGateway: singleton(ModelGateway),
    spendingService: singleton(SpendingService),
    llmIntegrationService: singleton(LlmIntegrationService),
  },
  routes: [priceRoutes, spendingRoutes, budgetRoutes, llmIntegrationRoutes],
  background: [
    ({ answerCache }: { answerCache: AnswerCache }) => ({
      name: 'forget answers of models that were kept long enough',
      work: () => answerCache.forget(new Date().toISOString()),
      idleDelayMs: HOUR_MS,
    }),
  ],
});
