import { auditStoreContract } from '../../../test/contracts/access/audit-store.contract.ts';
import { MemoryAuditStore } from './memory-audit-store.ts';

auditStoreContract('memory', async () => ({ port: new MemoryAuditStore(), close: async () => {} }));
