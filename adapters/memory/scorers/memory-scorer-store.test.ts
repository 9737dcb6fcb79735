import { scorerStoreContract } from '../../../test/contracts/scorers/scorer-store.contract.ts';
import { MemoryScorerStore } from './memory-scorer-store.ts';

scorerStoreContract('memory', async () => ({ port: new MemoryScorerStore(), close: async () => {} }));
