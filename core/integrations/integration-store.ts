import type { IdFilter } from '../kernel/query/filter.ts';
import type { StoredIntegration } from './integration.ts';
import type { SealedStore } from './secret-rotation.ts';

export type IntegrationChanges = Partial<Pick<StoredIntegration, 'settings' | 'secrets' | 'is_disabled'>> &
  Pick<StoredIntegration, 'updated_at'>;

/** Integrations, and which of them each user selected. Values handed in or out belong to the caller. */
export interface IntegrationStore extends SealedStore {
  /** Rejects with AppError `conflict` when the id is taken, or whoever creates it has one of this name. */
  insert(integration: StoredIntegration): Promise<void>;
  find(id: string): Promise<StoredIntegration | undefined>;
  findByName(created_by: string, name: string): Promise<StoredIntegration | undefined>;
  /** Oldest first, then by id. */
  list(filters: readonly IdFilter<'id'>[]): Promise<StoredIntegration[]>;
  /** Returns it as it is then; undefined when there is none. */
  update(id: string, changes: IntegrationChanges): Promise<StoredIntegration | undefined>;
  /** With all selections of it. Returns whether there was one. */
  remove(id: string): Promise<boolean>;

  /** In place of what the user selected of this provider before. An unknown integration is selected too. */
  select(user_id: string, integration: Pick<StoredIntegration, 'id' | 'provider'>): Promise<void>;
  /** Ids of the integrations that the user selected, seen by them or not. */
  selectedBy(user_id: string): Promise<ReadonlySet<string>>;
}
