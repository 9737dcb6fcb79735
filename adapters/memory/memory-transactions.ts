import type { Transactions } from '../../core/kernel/ports.ts';

/**
 * Runs the work as it is: memory stores check before they change anything and never wait in between, so a failure
 * leaves nothing half-written by one store. Undoing writes of several stores is left to the PostgreSQL adapter.
 */
export class MemoryTransactions implements Transactions {
  run<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }
}
