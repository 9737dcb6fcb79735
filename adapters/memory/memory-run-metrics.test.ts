import { runMetricsContract } from '../../test/contracts/run-metrics.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

runMetricsContract('memory', async () => openMemoryStores());
