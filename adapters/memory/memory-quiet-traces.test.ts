import { quietTracesContract } from '../../test/contracts/quiet-traces.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

quietTracesContract('memory', async () => openMemoryStores());
