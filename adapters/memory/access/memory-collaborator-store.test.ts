import { collaboratorStoreContract } from '../../../test/contracts/access/collaborator-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryCollaboratorStore } from './memory-collaborator-store.ts';

collaboratorStoreContract('memory', async () => ({
  port: new MemoryCollaboratorStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
