import { quietSessionsContract } from '../../../test/contracts/scorers/quiet-sessions.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

quietSessionsContract('memory', async () => openMemoryStores());
