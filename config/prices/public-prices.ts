import { readFileSync } from 'node:fs';
import { PublicPriceList, PublicPrices } from '../../core/models/prices/public-prices.ts';

const FILE = new URL('public-prices.json', import.meta.url);

let read: PublicPrices | undefined;

/** The list that `npm run prices:update` writes, which is part of the source: it is read once in a process. */
export function readPublicPrices(): PublicPrices {
  read ??= new PublicPrices(PublicPriceList.parse(JSON.parse(readFileSync(FILE, 'utf8'))));
  return read;
}
