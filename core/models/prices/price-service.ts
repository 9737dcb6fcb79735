import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { Transactions } from '../../kernel/ports.ts';
import {
  type OwnPrices,
  type PriceStore,
  type ProjectUnpricedModels,
  requireOnePriceADay,
  type UnpricedModels,
} from './own-prices.ts';
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

  async getUnpriced(caller: Caller): Promise<UnpricedModels> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'read_users');
    return { forbidden: await this.#deps.priceStore.forbidsUnpriced(null) };
  }

  async setUnpriced(caller: Caller, body: UnpricedModels): Promise<UnpricedModels> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'manage_prices');
    await this.#setUnpriced(caller, null, body);
    return body;
  }

  async getUnpricedOfProject(caller: Caller, project_id: string): Promise<ProjectUnpricedModels> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return this.#unpricedIn(project_id);
  }

  async setUnpricedOfProject(caller: Caller, project_id: string, body: UnpricedModels): Promise<ProjectUnpricedModels> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'update');
    await this.#setUnpriced(caller, project_id, body);
    return this.#unpricedIn(project_id);
  }

  async #unpricedIn(project_id: string): Promise<ProjectUnpricedModels> {
    const { priceStore } = this.#deps;
    const [forbidden, forbidden_by_organization] = await Promise.all([
      priceStore.forbidsUnpriced(project_id),
      priceStore.forbidsUnpriced(null),
    ]);
    return { forbidden, forbidden_by_organization };
  }

  async #setUnpriced(caller: Caller, project_id: string | null, { forbidden }: UnpricedModels): Promise<void> {
    const { priceStore, priceLookup, auditTrail, transactions } = this.#deps;
    await transactions.run(async () => {
      await priceStore.setUnpriced(project_id, forbidden);
      await auditTrail.note(caller, { action: 'unpriced_models.set', ...toObject(project_id), details: { forbidden } });
    });
    priceLookup.forget();
  }

  async #replace(caller: Caller, project_id: string | null, { prices }: OwnPrices): Promise<OwnPrices> {
    const { priceStore, priceLookup, auditTrail, transactions } = this.#deps;
    requireOnePriceADay(prices);
    await transactions.run(async () => {
      await priceStore.replace(project_id, prices);
      await auditTrail.note(caller, { action: 'model_prices.set', ...toObject(project_id), details: { prices: prices.length } });
    });
    priceLookup.forget();
    return { prices };
  }
}

const toObject = (project_id: string | null) =>
  project_id === null ? { object_kind: 'organization', object_id: null } : { object_kind: 'project', object_id: project_id };
