import { idleSessionsContract } from '../../../test/contracts/scorers/idle-sessions.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

idleSessionsContract('memory', async () => openMemoryStores());
