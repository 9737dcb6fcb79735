import { runMetricsContract } from '../../../test/contracts/trends/run-metrics.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

runMetricsContract('memory', async () => openMemoryStores());
