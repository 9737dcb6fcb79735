import { insightScanContract } from '../../test/contracts/insights/insight-scan.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

insightScanContract('memory', async () => openMemoryStores());
