import type { Browser } from 'playwright-core';
import { launchBrowser } from '../test/console/browser.ts';
import { ADMIN_API_KEY, type BenchService } from './bench-service.ts';
import { inRounds } from './interruption.ts';
import type { Measured } from './report.ts';
import { ROWS_PER_TRACE } from './traces.ts';

const LOAD = { tracesPerRequest: 7, connections: 64, overDays: 30, forMs: 900_000 } as const;
const KIBIBYTE = 1024;
const FIRST_ROW = 'main table tbody tr';
const ROWS_MS = 60_000;

/** One visit of a browser that was never here before. */
interface Visit {
  /** From the address to the first row of records on the screen. */
  readonly rowsMs: number;
  /** Bytes of the page itself on the wire, API responses left out. */
  readonly pageBytes: number;
}

/** Measures the size of the console, and the time to the first rows of a log stream of many. */
export async function measureConsole(benchService: BenchService, rounds: number, rows: number): Promise<Measured[]> {
  console.error(`loading ${rows} rows …`);
  await benchService.send({ ...LOAD, maxRequests: Math.ceil(rows / ROWS_PER_TRACE / LOAD.tracesPerRequest) });
  const browser = await launchBrowser();
  try {
    await visit(browser, benchService);
    const visits = await inRounds(rounds, () => visit(browser, benchService));
    const weights = visits.map(({ pageBytes }) => pageBytes / KIBIBYTE);
    return [
      { name: 'console, what its records view weighs', unit: 'KiB', ours: weights, target: { better: 'lower', reach: 300 } },
      {
        name: `console, first rows of ${rows.toLocaleString('en')}`,
        unit: 'ms',
        ours: visits.map(({ rowsMs }) => rowsMs),
        target: { better: 'lower', reach: 1_000 },
      },
    ];
  } finally {
    await browser.close();
  }
}

async function visit(browser: Browser, { url, projectId, logStreamId }: BenchService): Promise<Visit> {
  const context = await browser.newContext();
  try {
    await context.request.post(`${url}/v2/login/api_key`, { data: { api_key: ADMIN_API_KEY } });
    const page = await context.newPage();
    const wire = await context.newCDPSession(page);
    await wire.send('Network.enable');
    const ofPage = new Set<string>();
    let pageBytes = 0;
    wire.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (!request.url.includes('/v2/')) ofPage.add(requestId);
    });
    wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (ofPage.has(requestId)) pageBytes += encodedDataLength;
    });
    const began = performance.now();
    await page.goto(`${url}/#/projects/${projectId}/log_streams/${logStreamId}`, { waitUntil: 'commit' });
    await page.locator(FIRST_ROW).first().waitFor({ timeout: ROWS_MS });
    return { rowsMs: performance.now() - began, pageBytes };
  } finally {
    await context.close();
  }
}
