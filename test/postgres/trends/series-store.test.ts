import { widgetNumbersProperty } from '../../contracts/trends/widget-numbers.property.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

widgetNumbersProperty('PostgreSQL', openPostgresStores, 60);
