/** Names and ids by which an identity provider knows a user or a group, beside those of the service itself. */
export interface ProvisionedResource {
  readonly kind: 'user' | 'group';
  /** Of the user or the group. */
  readonly id: string;
  /** The provider's own id. Providers keep it unique; the service does not. */
  readonly external_id: string | null;
  /** As the provider writes it; null for groups. */
  readonly user_name: string | null;
  /** `user_name` in lower case: no two users have the same one. */
  readonly user_name_key: string | null;
  readonly display_name: string | null;
}

/** How providers know users and groups. Values handed in or out belong to the caller. */
export interface ProvisioningStore {
  /** Takes the place of what is known of the resource. Rejects with AppError `conflict` when another user has the user name. */
  put(resource: ProvisionedResource): Promise<void>;
  /** In any order; what no provider has written is left out. */
  findMany(kind: ProvisionedResource['kind'], ids: readonly string[]): Promise<ProvisionedResource[]>;
  findByUserName(user_name_key: string): Promise<ProvisionedResource | undefined>;
  /** By ascending id, `limit` at most. */
  listByExternalId(kind: ProvisionedResource['kind'], external_id: string, limit: number): Promise<ProvisionedResource[]>;
  /** An unknown id is not an error. */
  remove(kind: ProvisionedResource['kind'], id: string): Promise<void>;
}
