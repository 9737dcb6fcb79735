import { loginStoreContract } from '../../../test/contracts/access/login-store.contract.ts';
import { MemoryLoginStore } from './memory-login-store.ts';

loginStoreContract('memory', async () => ({ port: new MemoryLoginStore(), close: async () => {} }));
