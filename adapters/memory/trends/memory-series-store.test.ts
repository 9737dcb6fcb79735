import { widgetNumbersProperty } from '../../../test/contracts/trends/widget-numbers.property.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

widgetNumbersProperty('memory', async () => openMemoryStores(), 150);
