import { beforeAll, expect, it } from 'vitest';
import { makeLogStream, type TestLogStream } from '../log-stream.ts';
import { getTestConsole } from '../test-console.ts';
import { visitor } from '../visit.ts';
import { settle } from './faults.ts';

const browser = visitor();
const MOST_BYTES = 150 * 1024;
const { project_id, trace_id } = getTestConsole();
let stream: TestLogStream;

beforeAll(async () => {
  stream = await makeLogStream();
  await stream.log('one');
});

/** Of scripts, styles and the page itself: what a first visit fetches, compressed as the service sends it. */
const WEIGHT = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ name }) => !name.includes('/v2/')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

it.each<[string, () => string]>([
  ['projects', () => '/'],
  ['home of a project', () => `/projects/${project_id}`],
  ['traces', () => stream.place],
  ['a trace', () => `/projects/${project_id}/traces/${trace_id}`],
  ['trends', () => `${stream.place}/trends`],
  ['scorers of a log stream', () => `${stream.place}/scorers`],
  ['experiments', () => `/projects/${project_id}/experiments`],
  ['datasets', () => '/datasets'],
  ['prompts', () => '/prompts'],
  ['the playground', () => `/projects/${project_id}/playground`],
  ['annotation', () => `/projects/${project_id}/annotation`],
  ['settings', () => `${stream.place}/settings`],
])('%s is fetched in less than 150 KiB', async (_name, toPlace) => {
  const page = await browser.open(toPlace());
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await settle(page);
  const bytes = Number(await page.evaluate(WEIGHT));
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThan(MOST_BYTES);
});
