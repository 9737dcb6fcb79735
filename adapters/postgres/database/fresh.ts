/** Rows are read anew: within a transaction, an entity seen earlier would hide a change made by a statement. */
export const FRESH = { disableIdentityMap: true } as const;
