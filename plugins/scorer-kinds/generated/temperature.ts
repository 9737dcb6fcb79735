import type { Definition } from './definition.ts';

/** Families that are known to take a temperature; several newer ones refuse a call that has one. */
const TAKES_IT =
  /(^|[/.:_-])(gpt-3\.5|gpt-4(o|\.1)?(-|$)|claude-3|mistral|ministral|gemini-(1\.5|2\.0|2\.5)|llama|command-r|qwen2|palmyra)/i;
const SAMPLING = 0.7;

/** One judge should say the same each time, several should differ. Undefined where it is best not sent. */
export function parseTemperature({
  temperature,
  num_judges,
  model_name,
}: Pick<Definition, 'temperature' | 'num_judges' | 'model_name'>): number | undefined {
  if (typeof temperature === 'number') return temperature;
  if (!TAKES_IT.test(model_name)) return undefined;
  return num_judges > 1 ? SAMPLING : 0;
}
