import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { api, newLogStream, variedTrace } from './sent-trace.ts';
import { visitor } from './visit.ts';

const browser = visitor();

describe('the flow of a log stream', () => {
  it.each(['light', 'dark'] as const)(
    'is its traces aggregated by call path, with a trace to open for each step, %s',
    async (theme) => {
      const { project_id, log_stream_id } = await newLogStream();
      const { spans: _none, ...short } = variedTrace(randomUUID());
      await api().post(`/projects/${project_id}/traces`, { log_stream_id, traces: [variedTrace(randomUUID()), short] });
      const page = await browser.open(`/projects/${project_id}/log_streams/${log_stream_id}/flow`, { theme });
      const row = (name: string) => page.getByRole('row').filter({ hasText: name });
      await row('travel agent').waitFor();
      expect(await row('plan a trip').innerText()).toMatch(/1\s+100 %/);
      expect(await row('answer').innerText()).toMatch(/0\.5\s+50 %\s+150\s+1\.5 s\s+1\.5 s/);
      await expectAccessible(page);
      await row('answer').getByRole('link').click();
      await page.getByRole('tree').waitFor();
    },
  );

  it('without traces says what it will show', async () => {
    const { project_id, log_stream_id } = await newLogStream();
    const page = await browser.open(`/projects/${project_id}/log_streams/${log_stream_id}/flow`);
    await page.getByRole('heading', { name: 'No traces yet' }).waitFor();
  });
});
