import { idleTracesContract } from '../../../test/contracts/traces/idle-traces.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

idleTracesContract('memory', async () => openMemoryStores());
