import { loginStoreContract } from '../../../test/contracts/access/login-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryLoginStore } from './memory-login-store.ts';

loginStoreContract('memory', async () => ({
  port: new MemoryLoginStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
