import { describe, expect, it } from 'vitest';
import { eventually } from '../setup/timing.ts';
import { expectAccessible } from './axe.ts';
import { consoleApi, newScorer, upload } from './fixtures/scorer-fixture.ts';
import { makeLogStream } from './log-stream.ts';
import { visitor } from './visit.ts';

const browser = visitor();
/** Harmless on the sample that an upload is tried on. */
const LOOP = 'function scorer(record) { while (/asks question/.test(record.input)); return true; }';
const WHY = /records in a row came to/;

/** A scorer that ran out of time on record after record of a log stream, until it was switched off there. */
async function switchedOff() {
  const api = consoleApi();
  const stream = await makeLogStream();
  const scorer = await newScorer(api);
  await upload(api, scorer.id, LOOP);
  const settings = `/projects/${stream.project_id}/log_streams/${stream.log_stream_id}/metric_settings`;
  await api.patch(settings, { scorers: [{ id: scorer.id }] });
  await stream.log(...Array.from({ length: 12 }, (_, at) => `question ${at}`));
  const suspensions = () => api.get<{ suspensions: object[] }>(`/scorers/${scorer.id}/suspensions`);
  await eventually(async () => expect((await suspensions()).suspensions).toHaveLength(1));
  return { stream, scorer, suspensions };
}

describe('a scorer that was switched off because it ran out of time', () => {
  it('says so where it is enabled and on its own page, and is switched on again by a press', async () => {
    const { stream, scorer, suspensions } = await switchedOff();
    const page = await browser.open(`${stream.place}/scorers`);
    await page.getByText(WHY).waitFor();
    await expectAccessible(page);
    const own = await browser.open(`/scorers/${scorer.id}`);
    await own.getByRole('region', { name: 'Suspended' }).getByText(WHY).waitFor();
    await expectAccessible(own);
    await own.getByRole('button', { name: 'Resume' }).click();
    await own.getByRole('region', { name: 'Suspended' }).waitFor({ state: 'detached' });
    expect((await suspensions()).suspensions).toEqual([]);
  });
});
