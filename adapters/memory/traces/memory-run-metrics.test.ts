import { runMetricsContract } from '../../../test/contracts/traces/run-metrics.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

runMetricsContract('memory', async () => openMemoryStores());
