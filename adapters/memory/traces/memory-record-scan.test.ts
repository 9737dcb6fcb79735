import { recordScanContract } from '../../../test/contracts/traces/record-scan.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

recordScanContract('memory', async () => openMemoryStores());
