import { otelTraceStoreContract } from '../../../test/contracts/otel/otel-trace-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

otelTraceStoreContract('memory', async () => openMemoryStores());
