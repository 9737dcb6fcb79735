import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DatasetRule } from '../../../core/datasets/rules/dataset-rule.ts';
import { expectAccessible } from '../axe.ts';
import { callTestConsole } from '../console-api.ts';
import { makeLogStream } from '../log-stream.ts';
import { visitor } from '../visit.ts';

const browser = visitor();

describe('a rule that fills a dataset', () => {
  it.each(['light', 'dark'] as const)(
    'is made of a filtered list, and watched, paused and deleted in the settings, %s',
    async (theme) => {
      const stream = await makeLogStream();
      await stream.log('one', 'two');
      const form = new FormData();
      const name = `dataset ${randomUUID()}`;
      form.set('name', name);
      form.set('file', new Blob(['[]'], { type: 'application/json' }), 'rows.json');
      const { id: dataset_id } = await callTestConsole<{ id: string }>('POST', '/datasets', form);
      const filter = { type: 'text', column_id: 'name', operator: 'eq', value: 'one', case_sensitive: true };
      const page = await browser.open(`${stream.place}?filters=${encodeURIComponent(JSON.stringify([filter]))}`, { theme });
      await page.getByRole('button', { name: 'Keep adding to dataset' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Of the last seven days, 1 would match.').waitFor();
      await expectAccessible(page);
      await dialog.getByLabel('Name of the rule').fill('ones');
      await dialog.getByLabel('Dataset').selectOption(dataset_id);
      await dialog.getByLabel('Share in percent').fill('50');
      await dialog.getByRole('button', { name: 'Make rule' }).click();
      await page.getByText('Rule made').waitFor();
      const rules = async () =>
        (await callTestConsole<{ rules: DatasetRule[] }>('GET', `/projects/${stream.project_id}/dataset-rules`)).rules;
      const [made] = await rules();
      expect(made).toMatchObject({
        name: 'ones',
        dataset_id,
        run_id: stream.log_stream_id,
        sample_rate: 0.5,
        record_type: 'trace',
      });
      expect(made!.filters).toMatchObject([filter]);

      await page.getByRole('status').getByRole('link', { name: 'settings' }).click();
      await page.getByText('0 added').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('paused by hand').waitFor();
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      await page.getByRole('button', { name: 'Delete rule' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click();
      await page.getByText('Filter the records of the log stream').waitFor();
      expect(await rules()).toEqual([]);
    },
  );
});
