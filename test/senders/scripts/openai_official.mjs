// Messages travel as log records.
import { createRequire } from 'node:module';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { BROKEN, chatWithTool, expectFailure, inSpan, startTracing } from './common.mjs';

const tracerProvider = startTracing();
const loggerProvider = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })] });
const instrumentations = [new OpenAIInstrumentation({ captureMessageContent: true })];
registerInstrumentations({ tracerProvider, loggerProvider, instrumentations });
const { OpenAI } = createRequire(import.meta.url)('openai');

await inSpan('ask', async () => {
  await chatWithTool(new OpenAI());
  await expectFailure(() => chatWithTool(new OpenAI(), BROKEN));
});
await loggerProvider.shutdown();
await tracerProvider.shutdown();
