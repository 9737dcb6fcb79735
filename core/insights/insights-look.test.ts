import { insightsLookContract } from '../../test/contracts/insights/insights-look.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

insightsLookContract('memory', async () => openMemoryStores());
