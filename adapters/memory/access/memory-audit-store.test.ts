import { auditStoreContract } from '../../../test/contracts/access/audit-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryAuditStore } from './memory-audit-store.ts';

auditStoreContract('memory', async () => ({
  port: new MemoryAuditStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
