import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { Transactions } from '../../kernel/ports.ts';
import { type OwnPrices, type PriceStore, requireOnePriceADay } from './own-prices.ts';
import type { ProjectPrices } from './project-prices.ts';

export interface PriceServiceDeps {
  readonly priceStore: PriceStore;
  readonly priceLookup: Pick<ProjectPrices, 'forget'>;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
}

/** Own prices of models, set at run time for a project or for the whole organisation. */
export class PriceService {
  readonly #deps: PriceServiceDeps;

  constructor(deps: PriceServiceDeps) {
    this.#deps = deps;
  }

  async getOfOrganization(caller: Caller): Promise<OwnPrices> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'read_users');
    return { prices: await this.#deps.priceStore.list(null) };
  }

  async setOfOrganization(caller: Caller, body: OwnPrices): Promise<OwnPrices> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'manage_prices');
    return this.#replace(caller, null, body);
  }

  async getOfProject(caller: Caller, project_id: string): Promise<OwnPrices> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return { prices: await this.#deps.priceStore.list(project_id) };
  }

  async setOfProject(caller: Caller, project_id: string, body: OwnPrices): Promise<OwnPrices> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'update');
    return this.#replace(caller, project_id, body);
  }

  async #replace(caller: Caller, project_id: string | null, { prices }: OwnPrices): Promise<OwnPrices> {
    const { priceStore, priceLookup, auditTrail, transactions } = this.#deps;
    requireOnePriceADay(prices);
    await transactions.run(async () => {
      await priceStore.replace(project_id, prices);
      const about =
        project_id === null
          ? { object_kind: 'organization', object_id: null }
          : { object_kind: 'project', object_id: project_id };
      await auditTrail.note(caller, { action: 'model_prices.set', ...about, details: { prices: prices.length } });
    });
    priceLookup.forget();
    return { prices };
  }
}
