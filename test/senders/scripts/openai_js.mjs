// Chat completions by the official instrumentation: messages travel as log records.
import { createRequire } from 'node:module';
import { trace } from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { OpenAIInstrumentation } from '@opentelemetry/instrumentation-openai';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const loggerProvider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter: new OTLPLogExporter() })] });
const tracerProvider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
tracerProvider.register();
const instrumentation = new OpenAIInstrumentation({ captureMessageContent: true });
registerInstrumentations({ loggerProvider, tracerProvider, instrumentations: [instrumentation] });

const { OpenAI } = createRequire(import.meta.url)('openai');
await trace.getTracer('app').startActiveSpan('ask', async (span) => {
  await new OpenAI().chat.completions.create({
    model: 'gpt-4o-mini',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is the capital of France?' },
    ],
  });
  span.end();
});
await loggerProvider.forceFlush();
await loggerProvider.shutdown();
await tracerProvider.shutdown();
