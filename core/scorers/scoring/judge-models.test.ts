import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { CircuitOpenError } from '../../integrations/provider-failure.ts';
import type { CallOptions, ModelUsage, Question } from '../../models/model-call.ts';
import { type Completion, type JudgeCall, PluginError } from '../../plugin-sdk/index.ts';
import { JudgeModels } from './judge-models.ts';
import { type ModelUse, NO_PROJECT } from './scorer-kits.ts';

const completion: Completion = { text: 'yes', usage: {}, finish_reason: 'stop', model: 'm-1' };

let use: ModelUse;
let opened: { usage: ModelUsage; alias: string }[];
let asked: { question: Question; options: CallOptions }[];
let openFailure: Error | undefined;
let askFailure: Error | undefined;
/** Whether whoever enabled the scorer still sees the project. */
let sees: boolean;
let models: JudgeModels;

beforeEach(() => {
  use = {
    project_id: randomUUID(),
    run_id: randomUUID(),
    scorer_id: randomUUID(),
    scorer_version_id: randomUUID(),
    user_id: 'ada',
    daily_budget: null,
  };
  opened = [];
  asked = [];
  [openFailure, askFailure, sees] = [undefined, undefined, true];
  const ask = async (question: Question, options: CallOptions) => {
    asked.push({ question, options });
    if (askFailure) throw askFailure;
    return { completion, cost: 0.5, cached: false };
  };
  const open = async (usage: ModelUsage, alias: string) => {
    opened.push({ usage, alias });
    if (openFailure) throw openFailure;
    return { ask };
  };
  const judgeFiles = { open: async (project_id: string, ids: readonly string[]) => ids.map((id) => fileOf(project_id, id)) };
  models = new JudgeModels({
    modelGateway: { session: () => ({ open }) },
    judgeFiles,
    projectVisibility: { sees: async () => sees },
  });
});

const fileOf = (project_id: string, id: string) => ({
  media_type: 'image/png',
  digest: `${project_id} ${id}`,
  read: async () => new Uint8Array([1]),
});

const call: JudgeCall = {
  judge: 2,
  nonce: 'abc',
  messages: [{ role: 'user', content: 'is it?' }],
  signal: new AbortController().signal,
  accept: () => true,
};
const ask = async () => (await models.forJob()(use, 'alias')).ask(call);

describe('the model of a judge', () => {
  it('is asked on the account of whoever enabled the scorer, with a cache for each judge of the version', async () => {
    expect(await ask()).toEqual({ ...completion, price: 0.5, cached: false });
    const { daily_budget: _budget, ...facts } = use;
    expect(opened).toEqual([{ usage: { purpose: 'judge', ...facts }, alias: 'alias' }]);
    expect(asked[0]!.question).toEqual({ messages: call.messages });
    expect(asked[0]!.options).toMatchObject({
      signal: call.signal,
      cache: { scope: `${use.scorer_version_id} 2`, nonce: 'abc' },
    });
    expect(asked[0]!.options).not.toHaveProperty('budget');
  });

  it('is sent the files of its own project that a message names', async () => {
    const messages = [{ role: 'user', content: 'is it?', file_ids: ['f'] }] as const;
    await (await models.forJob()(use, 'alias')).ask({ ...call, messages });
    const [{ files, ...message } = { files: [] }, ...others] = asked[0]!.question.messages;
    expect([message, others, files?.map(({ digest }) => digest)]).toEqual([
      { role: 'user', content: 'is it?' },
      [],
      [`${use.project_id} f`],
    ]);
  });

  it('has the daily budget of the scorer', async () => {
    use = { ...use, daily_budget: 3 };
    await ask();
    expect(asked[0]!.options.budget).toEqual({ perDay: 3 });
  });

  it('needs somebody whose integrations it is of', async () => {
    use = { ...use, user_id: null };
    await expect(ask()).rejects.toMatchObject({ failure: 'unsupported', message: expect.stringContaining('enable it anew') });
  });

  it('is not opened for a project that they have left', async () => {
    sees = false;
    await expect(ask()).rejects.toMatchObject({ failure: 'unsupported', message: expect.stringContaining('any more') });
    expect(opened).toEqual([]);
  });

  it('puts the job off while the circuit breaker is open, or the provider does not say which models it has', async () => {
    askFailure = new CircuitOpenError('fake', 12_000);
    await expect(ask()).rejects.toMatchObject({ name: 'Deferred', delayMs: 12_000, message: askFailure.message });
    openFailure = new CircuitOpenError('fake', 9_000);
    await expect(ask()).rejects.toMatchObject({ name: 'Deferred', delayMs: 9_000 });
    openFailure = new PluginError('unavailable', 'a provider does not answer');
    await expect(ask()).rejects.toMatchObject({ name: 'Deferred', delayMs: 15_000 });
    openFailure = new PluginError('unsupported', 'no integration offers the model "alias"');
    await expect(ask()).rejects.toBe(openFailure);
  });

  it('of a trial on samples, for which somebody waits, fails at once; the call belongs to no project', async () => {
    use = { ...use, project_id: NO_PROJECT, run_id: NO_PROJECT };
    askFailure = new CircuitOpenError('fake', 12_000);
    await expect(ask()).rejects.toBe(askFailure);
    const none = { project_id: null, run_id: null, scorer_id: null, scorer_version_id: null };
    expect(opened[0]!.usage).toEqual({ purpose: 'scorer_trial', user_id: 'ada', ...none });
  });
});
