import { quietTracesContract } from '../../../test/contracts/traces/quiet-traces.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

quietTracesContract('memory', async () => openMemoryStores());
