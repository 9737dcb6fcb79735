import { metricSettingsStoreContract } from '../../../test/contracts/scorers/metric-settings-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

metricSettingsStoreContract('memory', async () => openMemoryStores());
