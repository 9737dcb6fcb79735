import { randomUUID } from 'node:crypto';
import { callTestConsole } from './console-api.ts';
import { type MadeDataset, makeDataset, readRows } from './dataset-fixture.ts';
import { getTestConsole } from './test-console.ts';

export interface TwoExperiments {
  readonly project_id: string;
  readonly dataset: MadeDataset;
  readonly baseline: MadeDataset;
  readonly candidate: MadeDataset;
}

const QUESTIONS = ['How long to Cork?', 'May I return a jersey?', 'Do you repair frames?', 'Is the shop open on Sunday?'];
const ANSWERS = {
  baseline: ['It takes 5 days.', 'No.', 'We do.', 'Yes.'],
  candidate: ['It takes 5 to 8 working days.', 'Within 60 days, unworn.', 'We do.', 'No, from Monday on.'],
};
const QUALITY = { baseline: [0.5, 0.25, 1, 0], candidate: [1, 0.75, 1, 0.5] };

/** Two prompts on the same rows: the candidate answers better, and one row alike. */
export async function twoExperiments(): Promise<TwoExperiments> {
  const { project_id } = getTestConsole();
  const dataset = await makeDataset(QUESTIONS.map((input, at) => ({ input, output: ANSWERS.candidate[at] })));
  const made = async (side: 'baseline' | 'candidate', prompt: string, temperature: number): Promise<MadeDataset> => {
    const name = `${side} ${randomUUID()}`;
    const { selected_version_id } = await callTestConsole<{ selected_version_id: string }>('POST', '/templates', {
      name: `prompt of ${name}`,
      template: prompt,
    });
    const { id } = await callTestConsole<MadeDataset>('POST', `/projects/${project_id}/experiments`, {
      name,
      dataset: { dataset_id: dataset.id, version_index: 1 },
      prompt_template_version_id: selected_version_id,
      prompt_settings: { model_alias: 'some-model', temperature },
    });
    const rows = await readRows(dataset.id);
    const traces = rows.map(({ row_id, values_dict }, at) => ({
      name: 'answer',
      input: values_dict.input,
      output: ANSWERS[side][at],
      dataset_input: values_dict.input,
      dataset_output: values_dict.output,
      dataset_metadata: { dataset_row_id: row_id },
      metrics: { duration_ns: 2e8 + at * 1e7, quality: QUALITY[side][at] },
    }));
    await callTestConsole('POST', `/projects/${project_id}/traces`, { experiment_id: id, traces });
    return { id, name };
  };
  const baseline = await made('baseline', 'Answer: {{input}}', 0);
  const candidate = await made('candidate', 'Answer politely: {{input}}', 0.5);
  return { project_id, dataset, baseline, candidate };
}
