import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { COMMON_FIELD_NAMES, OWN_FIELD_NAMES } from '../../../core/traces/catalogue/record-fields.ts';
import { SYSTEM_METRICS } from '../../../core/traces/catalogue/system-metrics.ts';
import { completeRecordFields, METRIC_NAMES, RECORD_FIELDS } from './record-completion.ts';

/** Labels that are offered where the bar stands. */
async function offered(language: string, text: string): Promise<string[]> {
  const pos = text.indexOf('|');
  const state = EditorState.create({ doc: text.replace('|', '') });
  const result = await completeRecordFields(language)(new CompletionContext(state, pos, false));
  return result ? result.options.map(({ label }) => label) : [];
}

describe('completion in a program', () => {
  it('knows all fields of records and all metrics of their own', () => {
    expect(Object.keys(RECORD_FIELDS).sort()).toEqual([...COMMON_FIELD_NAMES, ...OWN_FIELD_NAMES].sort());
    expect(Object.keys(METRIC_NAMES).sort()).toEqual([...SYSTEM_METRICS].sort());
  });

  it.each([
    ['python', '    return record.ou|'],
    ['python', '    return record["|'],
    ['python', '    return record.get("in|")'],
    ['python', 'def scorer(input, ou|'],
    ['javascript', 'return record.|'],
    ['javascript', "return record?.['ou|"],
    ['javascript', 'function scorer({ in|'],
    ['typescript', 'const scorer = ({ input, |'],
  ])('offers the fields of a record: %s, %s', async (language, text) => {
    expect(await offered(language, text)).toEqual(expect.arrayContaining(['input', 'output', 'user_metadata']));
  });

  it('offers metrics inside of metrics, the surroundings of a context, and parameters that are filled by name', async () => {
    expect(await offered('python', 'record.metrics["|')).toContain('num_total_tokens');
    expect(await offered('javascript', 'record.metrics?.|')).toContain('duration_ns');
    expect(await offered('python', 'context["|')).toContain('ground_truth');
    expect(await offered('python', 'def scorer(record, *, |')).toEqual(expect.arrayContaining(['expected', 'spans', 'output']));
  });

  it.each([
    ['python', 'words = text.|'],
    ['python', 'def helper(|'],
    ['python', 'def scorer(input):|'],
    ['javascript', 'records.|'],
    ['javascript', 'const other = ({ |'],
  ])('offers nothing of the kind elsewhere: %s, %s', async (language, text) => {
    expect(await offered(language, text)).toEqual([]);
  });
});
