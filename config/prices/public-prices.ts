import { readFileSync } from 'node:fs';
import { PublicPriceList, PublicPrices } from '../../core/models/prices/public-prices.ts';

const FILE = new URL('public-prices.json', import.meta.url);

/** The list that `npm run prices:update` writes. */
export const readPublicPrices = (): PublicPrices =>
  new PublicPrices(PublicPriceList.parse(JSON.parse(readFileSync(FILE, 'utf8'))));
