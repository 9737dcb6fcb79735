import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { callTestConsole } from '../console-api.ts';
import { makeLogStream } from '../log-stream.ts';
import { visitor } from '../visit.ts';

const browser = visitor();

describe('the agreement of raters', () => {
  it('stands beside each annotation field, with the rule by which several answers become one', async () => {
    const stream = await makeLogStream();
    const project = `/projects/${stream.project_id}`;
    const [record_id] = await stream.log('asked');
    const field = await callTestConsole<{ id: string }>('POST', `${project}/annotation_templates`, {
      name: 'Is it right?',
      annotation_type: 'star',
    });
    await callTestConsole('POST', `${project}/annotations`, {
      ...{ log_stream_id: stream.log_stream_id, record_id, template_id: field.id, value: 4 },
    });
    const page = await browser.open(`${stream.place}/agreement`);
    const shown = page.getByRole('region', { name: 'Is it right?' });
    await shown.getByText("Krippendorff's alpha (ordinal)").waitFor();
    expect(await shown.innerText()).toMatch(/Raters\s+1\s[\s\S]*Records with several\s+0/);
    await shown.getByLabel('Rule for Is it right?').selectOption('Mean');
    await expect
      .poll(async () => callTestConsole<{ truth_rule: string }[]>('GET', `${project}/annotation_templates`))
      .toMatchObject([{ truth_rule: 'mean' }]);
    await expectAccessible(page);
    await shown.getByRole('button', { name: 'Delete Is it right?' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Is it right?' }).click();
    await page.getByText('No annotation fields yet').waitFor();
    expect(await callTestConsole('GET', `${project}/annotation_templates`)).toEqual([]);
  });
});

describe('own prices of models', () => {
  it('are added to a project and removed, and refused where two overlap', async () => {
    const { project_id } = await makeLogStream();
    const page = await browser.open(`/projects/${project_id}/spending`, { theme: 'dark' });
    await page.getByRole('heading', { name: 'Nothing was spent in this time' }).waitFor();
    const add = async (from: string): Promise<void> => {
      await page.getByRole('button', { name: 'Add price' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Model').fill('in-house');
      await dialog.getByLabel('From').fill(from);
      await dialog.getByLabel('Input', { exact: true }).fill('0.25');
      await dialog.getByLabel('Output').fill('2');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    };
    await add('2026-01-01');
    const row = page.getByRole('row').filter({ hasText: 'in-house' });
    await row.getByText('$0.25').waitFor();
    await add('2026-02-01');
    await page.getByRole('dialog').getByRole('alert').getByText('has another price on').waitFor();
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'No prices of your own yet' }).waitFor();
  });

  it('are there for all projects, for administrators to change', async () => {
    const page = await browser.open('/integrations');
    await page.getByRole('link', { name: 'Model prices' }).click();
    await page.getByRole('button', { name: 'Add price' }).waitFor();
    await page.getByRole('heading', { name: 'My spending outside of projects' }).waitFor();
    await expectAccessible(page);
  });
});

describe('facets', () => {
  it('count the values of columns over what the filters leave, and narrow the list by one press', async () => {
    const stream = await makeLogStream();
    await stream.log('ask', 'ask', 'order');
    await callTestConsole('POST', `/projects/${stream.project_id}/traces`, {
      log_stream_id: stream.log_stream_id,
      traces: [{ type: 'trace', id: randomUUID(), name: 'order', input: 'x', output: 'y', tags: ['urgent'] }],
    });
    const page = await browser.open(stream.place);
    await page.getByRole('button', { name: 'Facets' }).click();
    const facets = page.getByRole('complementary', { name: 'Facets' });
    await facets.getByRole('region', { name: 'Name' }).getByRole('button', { name: 'ask 2' }).click();
    await page.getByRole('status').filter({ hasText: '2 traces' }).waitFor();
    await page.getByRole('button', { name: /^Remove filter/ }).click();
    await facets.getByRole('button', { name: 'urgent 1' }).click();
    await page.getByRole('status').filter({ hasText: '1 trace' }).waitFor();
    await facets.getByRole('region', { name: 'Name' }).getByRole('button', { name: 'order 1' }).waitFor();
    await expectAccessible(page);
  });

  it('count records by their number of comments', async () => {
    const stream = await makeLogStream();
    const [, record_id] = await stream.log('calm', 'disputed');
    const { project_id, log_stream_id } = stream;
    for (const text of ['Wrong.', 'Indeed.'])
      await callTestConsole('POST', `/projects/${project_id}/comments`, { log_stream_id, record_id, text });
    const page = await browser.open(`${stream.place}?facets=on`);
    const comments = page.getByRole('complementary', { name: 'Facets' }).getByRole('region', { name: /comments/i });
    await comments.getByRole('button', { name: '2 1' }).click();
    await page.getByRole('status').filter({ hasText: '1 trace' }).waitFor();
    await page.getByRole('link', { name: 'disputed' }).first().waitFor();
  });
});
