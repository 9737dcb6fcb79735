import { randomUUID } from 'node:crypto';
import { beforeAll, describe, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { callTestConsole } from '../console-api.ts';
import { makeLogStream, type TestLogStream } from '../log-stream.ts';
import { screenshot } from '../screenshot.ts';
import { getTestConsole } from '../test-console.ts';
import { untilCounted } from '../traffic.ts';
import { visitor } from '../visit.ts';

const TRACES = 8;
const DAY_MS = 86_400_000;
const browser = visitor();
let stream: TestLogStream;
let home: string;

beforeAll(async () => {
  stream = await makeLogStream();
  const { project_id, log_stream_id, place } = stream;
  home = `/projects/${project_id}`;
  const traces = Array.from({ length: TRACES }, (_, at) => ({
    id: randomUUID(),
    name: 'question',
    input: 'a',
    output: 'b',
    created_at: new Date(Date.now() - (at + 1) * 3_600_000).toISOString(),
    status_code: at % 4 === 0 ? 500 : 200,
    metrics: { duration_ns: 2_000_000_000 },
    spans: [{ type: 'llm', name: 'answer', model: 'large', input: 'a', output: 'b', metrics: { cost: 0.25 } }],
  }));
  await callTestConsole('POST', `${home}/traces`, { log_stream_id, traces });
  await untilCounted(place, TRACES, { start_time: new Date(Date.now() - DAY_MS), end_time: new Date() });
  await callTestConsole('POST', `${home}/experiments`, { name: 'candidate 7' });
});

describe('the home of a project', () => {
  it.each(['light', 'dark'] as const)('shows traffic, errors, latency and cost, and leads on, %s', async (theme) => {
    const page = await browser.open(home, { theme });
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    await card('Traces').getByText(String(TRACES), { exact: true }).waitFor();
    await card('Error rate').getByText('25 %', { exact: true }).waitFor();
    await card('Latency, p95').getByText('2 s', { exact: true }).first().waitFor();
    await card('Cost').getByText('$2.00', { exact: true }).waitFor();
    await card('Quality').getByText('No scores in this time').waitFor();
    await card('Newest experiments').getByRole('link', { name: 'candidate 7' }).waitFor();
    await card('Alerts')
      .getByRole('link', { name: /^trends of/ })
      .waitFor();
    await card('Newest insights').getByRole('link', { name: 'Enable insights' }).waitFor();
    await page.getByRole('link', { name: stream.name, exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('shows quality with the changes of scorers and prompts in that time', async () => {
    const { project_id } = getTestConsole();
    const name = `reply ${randomUUID()}`;
    const { id } = await callTestConsole<{ id: string }>('POST', '/templates', { name, template: 'Answer {{input}}' });
    await callTestConsole('POST', `/templates/${id}/versions`, { template: 'Answer briefly: {{input}}' });
    const time = `from=2026-10-25T00:00:00.000Z&to=${new Date(Date.now() + DAY_MS).toISOString()}`;
    const page = await browser.open(`/projects/${project_id}?${time}`, { height: 1200 });
    const quality = page.getByRole('region', { name: 'Quality', exact: true });
    await quality.getByRole('img', { name: 'Quality' }).waitFor();
    const changes = quality.getByRole('list', { name: 'Changes, Quality' });
    await changes.getByRole('link', { name: `Prompt ${name}: version 2` }).waitFor();
    await expectAccessible(page);
    await screenshot(page, 'home');
  });

  it('offers Retry where a part cannot be loaded, and shows the others', async () => {
    const page = await browser.open('/');
    let isBroken = true;
    await page.route('**/trends/alerts*', (route) =>
      isBroken ? route.fulfill({ status: 503, json: { detail: 'busy' } }) : route.continue(),
    );
    await page.goto(`${page.url().split('#')[0]}#${home}`);
    const alerts = page.getByRole('region', { name: 'Alerts', exact: true });
    await alerts.getByRole('alert').waitFor();
    await page.getByRole('region', { name: 'Cost', exact: true }).getByText('$2.00', { exact: true }).waitFor();
    isBroken = false;
    await alerts.getByRole('button', { name: 'Retry' }).click();
    await alerts.getByText('No alerts yet').waitFor();
  });

  it('says what to do next where there is nothing yet', async () => {
    const { id } = await callTestConsole<{ id: string }>('POST', '/projects', {
      name: `project ${randomUUID()}`,
      type: 'gen_ai',
    });
    const page = await browser.open(`/projects/${id}`, { width: 390 });
    await page.getByText('No log streams yet').waitFor();
    await callTestConsole('POST', `/projects/${id}/log_streams`, { name: 'first' });
    await page.reload();
    await page.getByText('Open a log stream to send its first trace').waitFor();
    await expectAccessible(page);
  });
});
