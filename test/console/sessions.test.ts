import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { api, newLogStream } from './sent-trace.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const { project_id } = getTestConsole();
const browser = visitor();
const MANY = 60;
const sessions = { talk: randomUUID(), long: randomUUID(), empty: '' };
let stream: string;

const turn = (second: number, fields: object) => ({
  name: 'talk',
  created_at: new Date(Date.parse('2026-11-10T08:00:00.000Z') + second * 1000).toISOString(),
  metrics: { duration_ns: 2_000_000_000 },
  ...fields,
});
const broken = { type: 'tool', name: 'book', input: '{}', output: '', status_code: 500 };
const model = { type: 'llm', name: 'answer', model: 'small-1', input: 'hello', output: 'hi', metrics: { num_total_tokens: 42 } };
const history = [
  { role: 'user', content: 'Where is my order?' },
  { role: 'assistant', content: 'Which one?' },
  { role: 'user', content: 'The blue one.' },
];
const traces = [
  turn(0, { input: 'Where is my order?', output: 'Which one?', spans: [model] }),
  turn(75, { input: JSON.stringify(history), output: 'It is lost.', status_code: 500, spans: [broken] }),
];

beforeAll(async () => {
  const { log_stream_id } = await newLogStream();
  stream = `/projects/${project_id}/log_streams/${log_stream_id}`;
  const send = (session_id: string, batch: object[]) =>
    api().post(`/projects/${project_id}/traces`, { log_stream_id, session_id, traces: batch });
  await send(sessions.talk, traces);
  await send(
    sessions.long,
    Array.from({ length: MANY }, (_, at) => turn(at * 10, { input: `question ${at + 1}`, output: `answer ${at + 1}` })),
  );
  const made = await api().post<{ id: string }>(`/projects/${project_id}/sessions`, {
    log_stream_id,
    name: 'nothing said',
    previous_session_id: sessions.talk,
    user_metadata: { customer: 'C-17' },
  });
  sessions.empty = made.id;
});

describe('a session', () => {
  it('is a conversation in turns, with the time they took and the time between them', async () => {
    const page = await browser.open(`${stream}/sessions/${sessions.talk}`);
    const turns = page.getByRole('listitem', { name: /^Turn/ });
    await turns.first().waitFor();
    expect(await turns.count()).toBe(2);
    expect(await turns.first().innerText()).toMatch(
      /Duration 2 s\s+1 span · 42 tokens[\s\S]*user\s+Where is my order\?\s+assistant\s+Which one\?/,
    );
    const second = await turns.nth(1).innerText();
    expect(second).toMatch(/1 min 13 s later[\s\S]*failed 500\s+1 failed span[\s\S]*user\s+The blue one\./);
    expect(second).not.toContain('Where is my order?');
    expect(await page.locator('main header').innerText()).toMatch(/Turns\s+2[\s\S]*Tokens\s+42/);
  });

  it('leads to each trace, and to what failed in it', async () => {
    const page = await browser.open(`${stream}/sessions/${sessions.talk}`);
    await page.getByRole('link', { name: '1 failed span' }).click();
    await page.getByText('2 of 2').waitFor();
    await page.getByRole('link', { name: sessions.talk.slice(0, 8) }).click();
    await page.getByRole('link', { name: '1. talk' }).click();
    await page.getByRole('heading', { name: 'talk', level: 1 }).waitFor();
  });

  it('of many turns is shown page by page', async () => {
    const page = await browser.open(`${stream}/sessions/${sessions.long}`);
    await page.getByText('question 50', { exact: true }).waitFor();
    expect(await page.getByText('question 51', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('listitem', { name: 'Turn 60' }).getByText('answer 60').waitFor();
    expect(page.url()).toContain('from=50');
  });

  it('without turns says how it gets some, and leads to the one before', async () => {
    const page = await browser.open(`${stream}/sessions/${sessions.empty}`);
    await page.getByRole('heading', { name: 'nothing said', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'No turns yet' }).waitFor();
    await page.getByText('Metadata').click();
    await page.getByText('C-17').waitFor();
    await page.getByRole('link', { name: 'The session before' }).click();
    await page.getByRole('listitem', { name: 'Turn 2' }).waitFor();
  });

  it('is found by its number of turns, a trace by the model it called', async () => {
    const page = await browser.open(`${stream}?level=session`);
    const rows = page.locator('tbody tr');
    await page.getByLabel('Turns at least').selectOption({ label: '≥ 2 turns' });
    await page.getByText('Traces ≥ 2').waitFor();
    await rows.nth(1).waitFor();
    await page.getByLabel('Turns at least').selectOption({ label: '≥ 20 turns' });
    await page.getByText('Traces ≥ 20').waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await page.goto(`${page.url().split('?')[0]}?level=trace`);
    await page.getByRole('columnheader', { name: 'Model' }).waitFor();
    await page.getByRole('button', { name: 'Facets' }).click();
    await page.getByRole('region', { name: 'Model' }).getByRole('button', { name: 'small-1' }).click();
    await page.getByText('Model is “small-1”').waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByText('small-1').waitFor();
  });

  it('is listed without traces that were logged outside of sessions, until somebody wants to see them', async () => {
    const { log_stream_id } = await newLogStream();
    const list = `/projects/${project_id}/log_streams/${log_stream_id}?level=session`;
    const send = (more: object) => api().post(`/projects/${project_id}/traces`, { log_stream_id, ...more });
    await send({ traces: [turn(0, { name: 'alone', input: 'one question' }), turn(1, { name: 'alone' })] });
    const page = await browser.open(list);
    await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();
    await page.getByText('0 sessions', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show single traces' }).click();
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    expect(page.url()).toContain('implicit=shown');

    await send({ session_external_id: 'chat 7', traces: [turn(5, { input: 'hello' })] });
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('button', { name: 'Single traces', pressed: true }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByText('1 session', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'chat 7' }).waitFor();
    // The browser's own dialog for files is nothing a test can press.
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'));
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByText('All sessions of this log stream, without single traces.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ external_id: 'chat 7', is_implicit: false }]);
  });

  it('is commented on, and who may only read is shown no field and nothing to delete', async () => {
    const page = await browser.open(`${stream}/sessions/${sessions.talk}`);
    await page.getByLabel('Write a comment').fill('The order was lost by the carrier.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    const comment = page.getByRole('listitem').filter({ hasText: 'lost by the carrier' });
    await comment.getByRole('button', { name: 'Edit' }).waitFor();
    await expectAccessible(page);

    const asked = { email: `${randomUUID()}@example.org`, password: 'a long enough one' };
    const { id } = await api().post<{ id: string }>('/users', asked);
    const setRole = (role: string) => api().patch(`/projects/${project_id}/users/${id}`, { role });
    await api().post(`/projects/${project_id}/users`, [{ user_id: id, role: 'viewer' }]);
    const other = await browser.open(`${stream}/sessions/${sessions.talk}`, { signedIn: false });
    await other.getByLabel('E-mail').fill(asked.email);
    await other.getByLabel('Password', { exact: true }).fill(asked.password);
    await other.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    const seen = other.getByRole('listitem').filter({ hasText: 'lost by the carrier' });
    await seen.waitFor();
    await other.waitForLoadState('networkidle');
    expect(await other.getByLabel('Write a comment').count()).toBe(0);
    expect(await seen.getByRole('button').count()).toBe(0);

    await setRole('editor');
    await other.reload();
    await seen.getByRole('button', { name: 'Delete' }).waitFor();
    expect(await seen.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await seen.getByRole('button', { name: 'Delete' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await other.getByText('No comments yet').waitFor();
  });

  it('that is not there is told from one that is empty', async () => {
    const page = await browser.open(`${stream}/sessions/${randomUUID()}`);
    expect(await page.getByRole('alert').innerText()).toContain('session_not_found');
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const page = await browser.open(`${stream}/sessions/${sessions.talk}`, { theme });
    await page.getByRole('listitem', { name: 'Turn 2' }).waitFor();
    await expectAccessible(page);
  });
});
