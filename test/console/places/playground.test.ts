import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { chooseIntegration } from '../fixtures/chosen-integration.ts';
import { makeDataset } from '../fixtures/dataset-fixture.ts';
import { startWritingModel } from '../fixtures/writing-model.ts';
import { screenshot } from '../screenshot.ts';
import { api, newLogStream } from '../sent-trace.ts';
import { visitor } from '../visit.ts';

const browser = visitor();

describe('the playground', () => {
  it('begins with a call of a trace, tries variants side by side, and says why one has no answer', async () => {
    const { project_id, log_stream_id } = await newLogStream();
    const [trace, span] = [randomUUID(), randomUUID()];
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{}' } }];
    const input = [
      { role: 'user', content: 'Translate {{text}} to {{language}}' },
      { role: 'assistant', content: '', tool_calls },
      { role: 'tool', tool_call_id: 'c1', content: 'looked up' },
    ];
    const tools = [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } }];
    const call = { type: 'llm', id: span, name: 'ask', model: 'nobody-has-it', input, output: 'hi', tools };
    await api().post(`/projects/${project_id}/traces`, { log_stream_id, traces: [{ id: trace, input: 'a', spans: [call] }] });
    const page = await browser.open(`/projects/${project_id}/traces/${trace}?span=${span}`);
    await page.getByRole('link', { name: 'Open in playground' }).click();
    const first = page.getByRole('region', { name: 'Variant 1' });
    expect(await first.getByLabel('Model').inputValue()).toBe('nobody-has-it');
    expect(JSON.parse(await first.getByLabel('Prompt text').inputValue())).toMatchObject(input);
    expect(JSON.parse(await first.getByLabel('Tools (JSON)').inputValue())).toEqual(tools);
    await page.getByLabel('text', { exact: true }).fill('chat');
    await page.getByRole('button', { name: 'Add variant' }).click();
    const second = page.getByRole('region', { name: 'Variant 2' });
    await second.getByLabel('Prompt text').fill('Say {{text}}');
    await second.getByLabel('Temperature').fill('0.2');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await first.getByText('No value for language').waitFor();
    await first.getByText(/nobody-has-it.*cost not known/).waitFor();
    await second.getByText(/⚠/).waitFor();
    await expectAccessible(page);
    await second.getByRole('button', { name: 'Remove Variant 2' }).click();
    await second.waitFor({ state: 'detached' });
  });

  it('begins with a prompt, previews it with rows of a dataset, and saves a variant as its next version', async () => {
    const { project_id } = await newLogStream();
    const dataset = await makeDataset([{ text: 'one' }, { text: 'two' }]);
    const name = `greeting ${randomUUID()}`;
    const made = await api().post<{ id: string }>('/templates', { name, template: 'hello {{text}}' });
    const page = await browser.open(`/projects/${project_id}/playground`);
    await page.getByLabel('Start from a prompt').selectOption({ label: name });
    const first = page.getByRole('region', { name: 'Variant 1' });
    await expect.poll(() => first.getByLabel('Prompt text').inputValue()).toBe('hello {{text}}');
    await first.getByLabel('Prompt text').fill('good morning {{text}}');
    await page.getByText('Preview and run over a dataset').click();
    await page.getByRole('combobox', { name: 'Dataset' }).selectOption({ label: dataset.name });
    await page.getByText('good morning two').waitFor();
    await first.getByRole('button', { name: 'Save as a version' }).click();
    await first.getByRole('button', { name: 'Saved as a version' }).waitFor();
    const { selected_version } = await api().get<{ selected_version: { template: string } }>(`/templates/${made.id}`);
    expect(selected_version.template).toBe('good morning {{text}}');
    await expectAccessible(page);
  });

  it('runs though the fields of variables come, or others do, while Run is pressed', async () => {
    const { project_id } = await newLogStream();
    const settings = { model_alias: 'nobody-has-it' };
    const prompt = { name: `slow ${randomUUID()}`, template: 'say {{text}}', settings };
    const { id } = await api().post<{ id: string }>('/templates', prompt);
    const page = await browser.open('/');
    let gate = Promise.withResolvers<void>();
    await page.route('**/input_stub', async (route) => {
      await gate.promise;
      await route.continue();
    });
    const first = page.getByRole('region', { name: 'Variant 1' });
    const press = async (field: string): Promise<void> => {
      await page.getByRole('button', { name: 'Run', exact: true }).hover();
      await page.mouse.down();
      gate.resolve();
      await page.getByLabel(field, { exact: true }).waitFor();
      await page.mouse.up();
      await first.getByText(`No value for ${field}`).waitFor();
    };
    await page.goto(`${page.url().split('#')[0]}#/projects/${project_id}/playground?template=${id}`);
    await press('text');
    gate = Promise.withResolvers();
    await first.getByLabel('Prompt text').fill('{{greeting}} and {{farewell}}');
    await press('greeting');
  });

  it('shows the text while the model writes, stops it, shows calls of tools, and runs over a dataset in four inputs', async () => {
    const { project_id } = await newLogStream();
    const dataset = await makeDataset([{ text: 'one' }, { text: 'two' }]);
    const model = await startWritingModel();
    const removeIntegration = await chooseIntegration(`writing-${randomUUID()}`, model.url, ['writes']);
    try {
      const settings = { model_alias: 'writes', tools: [{ type: 'function', function: { name: 'look_up' } }] };
      const name = `writing ${randomUUID()}`;
      const { id } = await api().post<{ id: string }>('/templates', { name, template: 'say {{text}}', settings });
      const page = await browser.open(`/projects/${project_id}/playground?template=${id}`);
      const first = page.getByRole('region', { name: 'Variant 1' });
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await first.getByText('Good mor').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Stop' }).click();
      await first.getByText('Stopped before the end').waitFor();
      await expect.poll(() => model.left).toBe(1);
      model.release();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await first.getByText('Good morning', { exact: true }).waitFor();
      await first.getByText('look_up', { exact: true }).waitFor();
      await expectAccessible(page);
      await screenshot(page, 'playground-streamed');
      await page.getByText('Preview and run over a dataset').click();
      await page.getByRole('combobox', { name: 'Dataset' }).selectOption({ label: dataset.name });
      await page.getByRole('button', { name: 'Run Variant 1 over all rows' }).click();
      await page.getByRole('heading', { name: new RegExp(`Playground over ${dataset.name}`) }).waitFor();
      await page.getByText('Good morning').first().waitFor();
    } finally {
      await removeIntegration();
      await model.close();
    }
  });
});
