import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { api, newLogStream } from './sent-trace.ts';
import { visitor } from './visit.ts';

/** The least picture there is. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const input = [
  { type: 'text', text: 'What does this chart say?' },
  { type: 'image_url', image_url: { url: PIXEL } },
  { type: 'file', file_id: 'file-17' },
];
/** A WAV file of eight samples. */
const SOUND = 'UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==';
const spoken = [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: SOUND, format: 'wav' } }] }];
const output = [
  { type: 'text', text: 'It says zephyr.' },
  { type: 'text', text: 'Twice.' },
];
const messages = [
  { role: 'human', content: 'as a human' },
  { role: 'Reviewer d-none', content: 'as a reviewer' },
];
const decided = { action: 'deny', matched: true, confidence: 0.87 };
const [trace_id, session_id] = [randomUUID(), randomUUID()];
const browser = visitor();
let project: string;
let stream: string;

beforeAll(async () => {
  const { project_id, log_stream_id } = await newLogStream();
  project = `/projects/${project_id}`;
  stream = `${project}/log_streams/${log_stream_id}`;
  const spans = [
    { type: 'workflow', name: 'flow', input, output },
    { type: 'llm', name: 'speakers', input: messages, output: { role: 'ai', content: 'as an ai' } },
    { type: 'llm', name: 'listener', input: spoken, output: { role: 'assistant', content: 'silence' } },
    { type: 'control', name: 'gate', input: 'asked', output: decided },
  ];
  await api().post(`${project}/traces`, {
    log_stream_id,
    session_id,
    traces: [{ id: trace_id, name: 'chart', input, output, spans }],
  });
});

const pane = (page: Page) => page.getByRole('region', { name: 'Selected span' });
const step = (page: Page, name: string) => page.getByRole('treeitem').filter({ hasText: name });

describe('content blocks', () => {
  it('are shown in a trace as their texts and pictures, and others by their type', async () => {
    const page = await browser.open(`${project}/traces/${trace_id}`);
    for (const name of ['chart', 'flow']) {
      await step(page, name).first().click();
      await pane(page).getByText('It says zephyr.').waitFor();
      expect(await pane(page).innerText()).toMatch(
        /What does this chart say\?[\s\S]*file[\s\S]*file-17[\s\S]*It says zephyr\.\s+Twice\./,
      );
      await pane(page).getByRole('img', { name: 'Shown to the model' }).waitFor();
      expect(await pane(page).getByRole('img', { name: 'Shown to the model' }).count()).toBe(1);
    }
    expect(await page.locator('body').innerText()).not.toContain('[object');
    await expectAccessible(page);
  });

  it('are played where they are sound', async () => {
    const page = await browser.open(`${project}/traces/${trace_id}`);
    await step(page, 'listener').click();
    const sound = pane(page).getByLabel('Sound in the message');
    await sound.waitFor();
    // The security policy lets it be loaded.
    await expect.poll(() => page.evaluate<number>(`document.querySelector('audio').readyState`)).toBeGreaterThan(0);
    await expectAccessible(page);
  });

  it('are shown in a session as what each side said', async () => {
    const page = await browser.open(`${stream}/sessions/${session_id}`);
    const turn = page.getByRole('listitem', { name: /^Turn/ });
    await turn.waitFor();
    expect(await turn.innerText()).toMatch(/user\s+What does this chart say\?[\s\S]*assistant\s+It says zephyr\.\s+Twice\./);
    expect(await page.locator('body').innerText()).not.toContain('[object');
  });

  it('are shown in the list of traces as their texts', async () => {
    const page = await browser.open(stream);
    const row = page.getByRole('row').filter({ hasText: 'zephyr' });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/What does this chart say\?\s+\[file\]\s+\[file\][\s\S]*It says zephyr\.\s+Twice\./);
    expect(await page.locator('body').innerText()).not.toContain('[object');
  });
});

describe('a conversation', () => {
  it('names a speaker of any role, which is no class of the page', async () => {
    const page = await browser.open(`${project}/traces/${trace_id}`);
    await step(page, 'speakers').click();
    await pane(page).getByText('as a reviewer').waitFor();
    expect(await pane(page).innerText()).toMatch(
      /user\s+as a human\s+Reviewer d-none\s+as a reviewer[\s\S]*assistant\s+as an ai/,
    );
  });
});

describe('what a control decided', () => {
  it('is shown as JSON', async () => {
    const page = await browser.open(`${project}/traces/${trace_id}`);
    await step(page, 'gate').click();
    await pane(page).getByText('"action": "deny"').waitFor();
    expect(await pane(page).innerText()).toContain('"confidence": 0.87');
  });
});
