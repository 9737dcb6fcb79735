// What every sender of JavaScript does, as `common.py` has it: ask with rules, let a tool answer, then ask a model that is not there.
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

export const RULES = 'Be brief.';
export const QUESTION = 'What is the weather in Paris?';
export const MODEL = 'gpt-4o-mini';
export const BROKEN = 'broken-model';
export const SESSION = 'session-1';
export const USER = 'user-1';
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
export const TOOL = { type: 'function', function: { name: 'get_weather', description: 'The weather in a city.', parameters } };

export const getWeather = () => 'sunny';

export function startTracing() {
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
  provider.register();
  return provider;
}

export const inSpan = (name, work) =>
  trace.getTracer('app').startActiveSpan(name, (span) => Promise.resolve(work()).finally(() => span.end()));

export const expectFailure = (work) =>
  Promise.resolve()
    .then(work)
    .catch((error) => process.stdout.write(`failed as it should: ${error.name}\n`));

/** Chat completions as an application without a framework makes them. */
export async function chatWithTool(client, model = MODEL) {
  const asked = [
    { role: 'system', content: RULES },
    { role: 'user', content: QUESTION },
  ];
  const settings = { model, tools: [TOOL], temperature: 0.2 };
  const first = await client.chat.completions.create({ ...settings, messages: asked });
  const [call] = first.choices[0].message.tool_calls;
  const answered = [
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: getWeather() },
  ];
  return client.chat.completions.create({ ...settings, messages: [...asked, ...answered] });
}
