import { collaboratorStoreContract } from '../../../test/contracts/access/collaborator-store.contract.ts';
import { MemoryCollaboratorStore } from './memory-collaborator-store.ts';

collaboratorStoreContract('memory', async () => ({ port: new MemoryCollaboratorStore(), close: async () => {} }));
