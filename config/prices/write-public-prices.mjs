// Writes public-prices.json anew from the list of prices that the package @pydantic/genai-prices keeps (MIT). `npm run prices:update`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PACKAGE = '@pydantic/genai-prices';
/** Vendors first, then hosts: a name alone has the price of the first that knows it. Aggregators of all others are left out. */
const PROVIDERS = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'deepseek',
  'x-ai',
  'cohere',
  'groq',
  'aws',
  'azure',
  'together',
  'fireworks',
  'perplexity',
  'cerebras',
  'moonshotai',
  'voyageai',
  'zai',
  'huggingface_together',
];

const folder = mkdtempSync(join(tmpdir(), 'prices-'));
try {
  execFileSync('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, PACKAGE]);
  const root = join(folder, 'node_modules', PACKAGE);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { findProvider } = await import(pathToFileURL(join(root, 'dist', 'index.js')).href);
  const providers = PROVIDERS.map((id) => ({ id, models: findProvider({ providerId: id }).models.flatMap(toModel) }));
  const list = { source: `${PACKAGE} ${version}, MIT license, Copyright (c) Pydantic Services Inc.`, providers };
  writeFileSync(new URL('public-prices.json', import.meta.url), `${JSON.stringify(list, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** Prices that hold at certain hours of the day, and models without a price by the token, are left out. */
function toModel({ match, prices }) {
  const rows = (Array.isArray(prices) ? prices : [{ prices }])
    .filter(({ constraint }) => constraint === undefined || constraint.type === 'start_date' || constraint.start_date)
    .map(({ constraint, prices: row }) => ({ ...(constraint?.start_date && { from: constraint.start_date }), ...toRow(row) }))
    .filter(({ input }) => input !== undefined);
  return rows.length === 0 ? [] : [{ match, prices: rows }];
}

/** Of prices by the length of the prompt the first, as everywhere else. */
function toRow(price) {
  const base = (value) => (typeof value === 'object' ? value.base : value);
  const row = {
    input: base(price.input_mtok),
    cached_input: base(price.cache_read_mtok),
    cache_write: base(price.cache_write_mtok),
    output: base(price.output_mtok) ?? 0,
  };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}
