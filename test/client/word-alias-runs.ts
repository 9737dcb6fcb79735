import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, type TestServer, type TestSettings } from '../http/harness.ts';
import { PRESETS } from '../setup/built-in-kinds.ts';
import { aTrace, type Json, ScriptedClient } from './scripted-client.ts';

/** As an operator would set them for a client that has its own words. */
const wordAliases = {
  hosted: 'cloud_model_hosting',
  door: 'gateway',
  small: 'finetuned',
  small_scorer: 'finetuned_scorer',
  _small: '_finetuned',
  'X-Other-SDK': 'X-Service-SDK',
};
/** Names that a client does not know, and would fail on. */
const NEUTRAL = /cloud_model_hosting|finetuned_scorer|"gateway"|"finetuned"|input_pii_finetuned/;

/** A client whose enumerations have its own words only, and one beside it that knows the neutral ones. */
export function wordAliasRuns(start: (settings: TestSettings) => Promise<TestServer>): void {
  describe('off-the-shelf clients of other words', () => {
    let server: TestServer;
    let client: ScriptedClient;
    let neutral: ScriptedClient;
    let P: string;
    let L: string;
    const hosting = { token: { cloud_access_key_id: 'a', cloud_secret_access_key: 'b' }, region: 'us-west-2' };

    beforeAll(async () => {
      server = await start({ wordAliases, allowedEndpoints: ['models.example.org'] });
      await server.cradle.presetSeeding.seed(PRESETS);
      const base = { base: `${server.url}/v2`, apiKey: ADMIN.api_key };
      client = new ScriptedClient({ ...base, sdkHeader: 'X-Other-SDK' });
      neutral = new ScriptedClient(base);
      await neutral.start();
      ({ P, L } = await client.reach('Harbour', 'default'));
    });
    afterAll(() => server.close());

    it('keep integrations under their words, and list them so', async () => {
      const made = (await client.call('PUT', '/integrations/hosted', { json: hosting })).body;
      expect(made).toMatchObject({ name: 'hosted', provider: 'hosted' });
      const door = { token: 't', endpoint: 'https://models.example.org', use_case: 'gateway' };
      await client.call('PUT', '/integrations/door', { json: door });
      const listed = await client.get('/integrations');
      expect(listed.map(({ provider }: Json) => provider).toSorted()).toEqual(['door', 'hosted']);
      expect((await client.get('/integrations/available')).integrations).toContain('hosted');
      expect(await client.get('/integrations/hosted')).toMatchObject({ provider: 'hosted', region: 'us-west-2' });
      for (const path of ['/integrations', '/integrations/available']) {
        expect(JSON.stringify(await client.get(path))).not.toMatch(NEUTRAL);
        expect(JSON.stringify(await neutral.get(path))).not.toMatch(/"hosted"|"door"/);
      }
      expect((await neutral.get('/integrations')).map(({ provider }: Json) => provider).toSorted()).toEqual([
        'cloud_model_hosting',
        'gateway',
      ]);
      // Words that an operator wrote stay theirs, whatever they look like.
      expect(await client.get('/integrations/door')).toMatchObject({ use_case: 'gateway' });
    });

    it('get their words from a path that has one, without the header', async () => {
      expect(await neutral.get('/integrations/hosted')).toMatchObject({ provider: 'hosted' });
      expect(await neutral.get('/integrations/cloud_model_hosting')).toMatchObject({ provider: 'cloud_model_hosting' });
    });

    it('make, find and list scorers by their words', async () => {
      const wanted = { name: 'my_small', scorer_type: 'small', description: 'finetuned', tags: ['finetuned'] };
      const made = await client.post('/scorers', wanted);
      expect(made).toMatchObject({ ...wanted, scorer_type: 'small' });
      const version = await client.post(`/scorers/${made.id}/version/small`, { lora_task_id: 1, prompt: 'finetuned' });
      expect(version.small_scorer).toMatchObject({ prompt: 'finetuned', name: 'my_small' });
      expect(version).not.toHaveProperty('finetuned_scorer');
      expect(await neutral.get(`/scorers/${made.id}`)).toMatchObject({ scorer_type: 'finetuned', name: 'my_small' });
      for (const scorer_type of ['small', 'finetuned']) {
        const filters = [{ name: 'scorer_type', value: scorer_type, operator: 'eq' }];
        const { scorers } = await client.post('/scorers/list?limit=1000', { filters });
        expect(scorers.map(({ name }: Json) => name)).toEqual(['my_small']);
      }
      const all = JSON.stringify(
        (await client.post('/scorers/list?limit=1000', {})).scorers.filter(({ id }: Json) => id !== made.id),
      );
      expect(all).not.toMatch(/"finetuned_scorer"|"name":"\w+_finetuned"|"executor":"\w+_finetuned"/);
      expect(all).toContain('"name":"input_pii_small"');
    });

    it('look presets up by names that end as they know them, and enable them so', async () => {
      for (const name of ['input_pii_small', 'input_pii_finetuned']) {
        const named = { filters: [{ name: 'name', value: name, operator: 'eq' }] };
        const { scorers } = await client.post('/scorers/list?limit=100', named);
        expect(scorers).toMatchObject([{ name: 'input_pii_small', scorer_type: 'preset', label: 'Input PII (SLM)' }]);
        const entry = {
          id: scorers[0].id,
          name: 'input_pii_small',
          scorer_type: 'preset',
          scoreable_node_types: ['trace', 'llm'],
        };
        const settings = { run_id: L, scorers: [entry] };
        const enabled = await client.post(`/projects/${P}/runs/${L}/scorer-settings`, settings);
        expect(enabled.scorers).toMatchObject([{ name: 'input_pii_small', scorer_type: 'preset' }]);
        const shown = await neutral.get(`/projects/${P}/log_streams/${L}/metric_settings`);
        expect(shown.scorers).toMatchObject([{ name: 'input_pii_finetuned' }]);
      }
      // A scorer of one's own keeps its name, even where a preset is called so.
      await client.post('/scorers', { name: 'own_small', scorer_type: 'llm' });
      expect(
        (await neutral.post('/scorers/list', { filters: [{ name: 'name', value: 'own_small', operator: 'eq' }] })).scorers,
      ).toMatchObject([{ name: 'own_small' }]);
    });

    it('get back what they logged, letter for letter, and the states of scores under the names they know', async () => {
      const text = 'finetuned small gateway input_pii_finetuned _finetuned';
      const data = { finetuned: 'gateway', finetuned_scorer: 'small', small: text };
      const facts = {
        input: text,
        output: text,
        user_metadata: data,
        dataset_metadata: data,
        tags: ['finetuned', 'small'],
        name: 'gateway',
      };
      const trace = aTrace(facts);
      await client.postTraces(P, { log_stream_id: L, experiment_id: null, traces: [trace], is_complete: true });
      for (const reader of [client, neutral]) {
        const shown = await reader.get(`/projects/${P}/traces/${trace.id}`);
        expect(shown).toMatchObject(facts);
        expect(Object.keys(shown.metric_info)).toEqual([reader === client ? 'input_pii_small' : 'input_pii_finetuned']);
      }
      const steps = await client.get(`/projects/${P}/traces/${trace.id}`);
      expect(JSON.stringify(steps.spans)).not.toContain('input_pii_finetuned');
      expect(steps.spans[1].spans[0]).toMatchObject({ type: 'llm', metric_info: { input_pii_small: {} } });
      const search = { log_stream_id: L, filters: [{ type: 'text', column_id: 'input', operator: 'eq', value: text }] };
      const { records } = await client.post(`/projects/${P}/traces/search`, search);
      expect(records).toMatchObject([{ ...facts, metric_info: { input_pii_small: {} } }]);
      const rows = new FormData();
      rows.set('file', new Blob([`${JSON.stringify({ input: text, finetuned_scorer: 'finetuned' })}\n`]), 'words');
      const { id: D } = await client.postForm('/datasets?format=jsonl', rows);
      const { rows: read } = await client.get(`/datasets/${D}/content`);
      expect(read[0].values_dict).toEqual({ input: text, finetuned_scorer: 'finetuned' });
    });
  });
}
