/** A sender as its users install it. */
export interface Sender {
  /** Also the name of what was captured of it. */
  readonly id: string;
  readonly label: string;
  /** Without versions, so that the newest are tried, or with a bound that says why. */
  readonly packages: readonly string[];
  /** File in `scripts`; Python, or a module of JavaScript. */
  readonly script: string;
  /** Lines that an application adds to send its traces here. */
  readonly lines: readonly string[];
}

const EXPORTER = ['opentelemetry-sdk', 'opentelemetry-exporter-otlp-proto-http'];

const openInference = (id: string, label: string, module: string, instrumentor: string, packages: readonly string[]): Sender => ({
  id: `${id}-openinference`,
  label: `${label}, OpenInference`,
  packages: [...packages, `openinference-instrumentation-${module.replaceAll('_', '-')}`, ...EXPORTER],
  script: `${id.replaceAll('-', '_')}_openinference.py`,
  lines: [
    `from openinference.instrumentation.${module} import ${instrumentor}`,
    'provider = TracerProvider(); provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))',
    `${instrumentor}().instrument(tracer_provider=provider)`,
  ],
});

const traceloop = (id: string, label: string, module: string, instrumentor: string, packages: readonly string[]): Sender => ({
  id: `${id}-openllmetry`,
  label: `${label}, OpenLLMetry`,
  packages: [...packages, `opentelemetry-instrumentation-${module.replaceAll('_', '-')}`, ...EXPORTER],
  script: `${id.replaceAll('-', '_')}_traceloop.py`,
  lines: [
    `from opentelemetry.instrumentation.${module} import ${instrumentor}`,
    'provider = TracerProvider(); provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))',
    `${instrumentor}().instrument(tracer_provider=provider)`,
  ],
});

const JS_EXPORTER = ['@opentelemetry/api', '@opentelemetry/sdk-trace-node', '@opentelemetry/exporter-trace-otlp-proto'];
const JS_PROVIDER = [
  'const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });',
  'provider.register();',
];

const PROVIDER = [
  'provider = TracerProvider()',
  'provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))',
  'trace.set_tracer_provider(provider)',
];

/** Every sender in the table of `docs/opentelemetry.md`, in its order. */
export const SENDERS: readonly Sender[] = [
  {
    id: 'pydantic-ai',
    label: 'Pydantic AI',
    packages: ['pydantic-ai-slim[openai,logfire]', ...EXPORTER],
    script: 'pydantic_ai_agent.py',
    lines: [PROVIDER[0]!, `${PROVIDER[1]}; ${PROVIDER[2]}`, 'Agent.instrument_all()'],
  },
  {
    id: 'strands',
    label: 'Strands Agents',
    packages: ['strands-agents[openai,otel]', ...EXPORTER],
    script: 'strands_agent.py',
    lines: [
      'from strands.telemetry import StrandsTelemetry',
      'StrandsTelemetry().setup_otlp_exporter()',
      'Agent(…, trace_attributes={"session.id": …, "user.id": …})',
    ],
  },
  {
    id: 'google-adk',
    label: 'Google ADK',
    packages: ['google-adk', 'litellm', 'mcp', ...EXPORTER],
    script: 'google_adk.py',
    lines: PROVIDER,
  },
  openInference('openai-agents', 'OpenAI Agents', 'openai_agents', 'OpenAIAgentsInstrumentor', ['openai-agents']),
  traceloop('openai-agents', 'OpenAI Agents', 'openai_agents', 'OpenAIAgentsInstrumentor', ['openai-agents']),
  openInference('crewai', 'CrewAI', 'crewai', 'CrewAIInstrumentor', [
    'crewai',
    'litellm',
    'openinference-instrumentation-openai',
  ]),
  openInference('langgraph', 'LangGraph', 'langchain', 'LangChainInstrumentor', ['langgraph', 'langchain', 'langchain-openai']),
  traceloop('langgraph', 'LangGraph', 'langchain', 'LangchainInstrumentor', ['langgraph', 'langchain', 'langchain-openai']),
  {
    id: 'autogen',
    label: 'AutoGen',
    packages: ['autogen-agentchat', 'autogen-ext[openai]', ...EXPORTER],
    script: 'autogen_own.py',
    lines: PROVIDER,
  },
  openInference('autogen', 'AutoGen', 'autogen_agentchat', 'AutogenAgentChatInstrumentor', [
    'autogen-agentchat',
    'autogen-ext[openai]',
  ]),
  openInference('smolagents', 'smolagents', 'smolagents', 'SmolagentsInstrumentor', ['smolagents[openai]']),
  openInference('llama-index', 'LlamaIndex', 'llama_index', 'LlamaIndexInstrumentor', [
    'llama-index-core',
    'llama-index-llms-openai',
  ]),
  openInference('dspy', 'DSPy', 'dspy', 'DSPyInstrumentor', ['dspy']),
  openInference('agno', 'Agno', 'agno', 'AgnoInstrumentor', ['agno', 'openai']),
  openInference('haystack', 'Haystack', 'haystack', 'HaystackInstrumentor', ['haystack-ai']),
  {
    id: 'semantic-kernel',
    label: 'Semantic Kernel',
    packages: ['semantic-kernel', ...EXPORTER],
    script: 'semantic_kernel_agent.py',
    lines: [
      'export SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE=true',
      `${PROVIDER[0]}; ${PROVIDER[1]}`,
      PROVIDER[2]!,
    ],
  },
  {
    id: 'agent-framework',
    label: 'Microsoft Agent Framework',
    packages: ['agent-framework-core', 'agent-framework-openai', ...EXPORTER],
    script: 'agent_framework_agent.py',
    lines: [`${PROVIDER[0]}; ${PROVIDER[1]}`, PROVIDER[2]!, 'enable_instrumentation(enable_sensitive_data=True)'],
  },
  openInference('openai', 'OpenAI', 'openai', 'OpenAIInstrumentor', ['openai']),
  openInference('anthropic', 'Anthropic', 'anthropic', 'AnthropicInstrumentor', ['anthropic']),
  openInference('gemini', 'Gemini', 'google_genai', 'GoogleGenAIInstrumentor', ['google-genai']),
  openInference('bedrock', 'Bedrock', 'bedrock', 'BedrockInstrumentor', ['boto3']),
  {
    id: 'openai-traceloop',
    label: 'OpenAI, Traceloop SDK',
    packages: ['openai', 'httpx', 'traceloop-sdk'],
    script: 'traceloop_openai.py',
    lines: [
      'export TRACELOOP_BASE_URL=http://127.0.0.1:8088 TRACELOOP_HEADERS="Service-API-Key=<key>"',
      'Traceloop.init(app_name="shop")',
      'Traceloop.set_association_properties({"session_id": …, "user_id": …})',
    ],
  },
  {
    id: 'anthropic-traceloop',
    label: 'Anthropic, Traceloop SDK',
    packages: ['anthropic', 'httpx', 'traceloop-sdk'],
    script: 'traceloop_anthropic.py',
    lines: [
      'export TRACELOOP_BASE_URL=http://127.0.0.1:8088 TRACELOOP_HEADERS="Service-API-Key=<key>"',
      'Traceloop.init(app_name="shop")',
      'Traceloop.set_association_properties({"session_id": …, "user_id": …})',
    ],
  },
  {
    id: 'langfuse',
    label: 'Langfuse',
    packages: ['langfuse', 'openai'],
    script: 'langfuse_openai.py',
    lines: [
      'export LANGFUSE_BASE_URL=http://127.0.0.1:8088 LANGFUSE_PUBLIC_KEY=key LANGFUSE_SECRET_KEY=<key>',
      'from langfuse.openai import OpenAI',
      'with propagate_attributes(session_id=…, user_id=…): …',
    ],
  },
  {
    id: 'logfire',
    label: 'Logfire',
    packages: ['logfire', 'openai'],
    script: 'logfire_openai.py',
    lines: [
      'logfire.configure(send_to_logfire=False)',
      'logfire.instrument_openai()',
      'logfire.span("ask", **{"session.id": …, "user.id": …})',
    ],
  },
  {
    id: 'openlit',
    label: 'OpenLIT',
    packages: ['openlit', 'openai'],
    script: 'openlit_openai.py',
    lines: ['import openlit', 'openlit.init(application_name="shop")', 'client = OpenAI()'],
  },
  {
    id: 'litellm',
    label: 'LiteLLM',
    packages: ['litellm[proxy]', 'mcp', ...EXPORTER],
    script: 'litellm_otel.py',
    lines: [`${PROVIDER[0]}; ${PROVIDER[1]}`, PROVIDER[2]!, 'litellm.callbacks = ["otel"]'],
  },
  {
    id: 'bedrock-official',
    label: 'Bedrock, OpenTelemetry',
    packages: ['boto3', 'opentelemetry-instrumentation-botocore', ...EXPORTER],
    script: 'bedrock_official.py',
    lines: [
      'export OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true',
      '_logs.set_logger_provider(logs)  # with an OTLPLogExporter',
      'BotocoreInstrumentor().instrument()',
    ],
  },
  {
    id: 'openai-official',
    label: 'OpenAI, OpenTelemetry',
    // 2.4b0 needs a module that no published version of its helper has, and 2.3b0 not the newest wrapt.
    packages: ['openai', 'httpx', 'wrapt<2', 'opentelemetry-instrumentation-openai-v2<2.4', ...EXPORTER],
    script: 'openai_official.py',
    lines: [
      'export OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true',
      '_logs.set_logger_provider(logs)  # with an OTLPLogExporter',
      'OpenAIInstrumentor().instrument()',
    ],
  },
  {
    id: 'openai-official-js',
    label: 'OpenAI, OpenTelemetry (JavaScript)',
    packages: [
      'openai',
      '@opentelemetry/instrumentation',
      '@opentelemetry/instrumentation-openai',
      '@opentelemetry/exporter-logs-otlp-proto',
      '@opentelemetry/sdk-logs',
      ...JS_EXPORTER,
    ],
    script: 'openai_official.mjs',
    lines: [
      'const loggerProvider = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })] });',
      'const instrumentations = [new OpenAIInstrumentation({ captureMessageContent: true })];',
      'registerInstrumentations({ tracerProvider, loggerProvider, instrumentations });',
    ],
  },
  {
    id: 'openai-openinference-js',
    label: 'OpenAI, OpenInference (JavaScript)',
    packages: ['openai', '@arizeai/openinference-core', '@arizeai/openinference-instrumentation-openai', ...JS_EXPORTER],
    script: 'openai_openinference.mjs',
    lines: [...JS_PROVIDER, 'new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI);'],
  },
  {
    id: 'langchain-openinference-js',
    label: 'LangChain, OpenInference (JavaScript)',
    packages: [
      'langchain',
      '@langchain/core',
      '@langchain/openai',
      'zod',
      '@arizeai/openinference-core',
      '@arizeai/openinference-instrumentation-langchain',
      ...JS_EXPORTER,
    ],
    script: 'langchain_openinference.mjs',
    lines: [
      ...JS_PROVIDER,
      'new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(CallbackManagerModule);',
    ],
  },
  {
    id: 'traceloop-js',
    label: 'OpenAI, Traceloop SDK (JavaScript)',
    packages: ['openai', '@traceloop/node-server-sdk', ...JS_EXPORTER],
    script: 'traceloop.mjs',
    lines: [
      'export TRACELOOP_BASE_URL=http://127.0.0.1:8088 TRACELOOP_HEADERS="Service-API-Key=<key>"',
      "traceloop.initialize({ appName: 'shop', instrumentModules: { openAI: OpenAI } });",
      'traceloop.withAssociationProperties({ session_id: …, user_id: … }, …);',
    ],
  },
  {
    id: 'langfuse-js',
    label: 'Langfuse (JavaScript)',
    packages: ['openai', '@langfuse/openai', '@langfuse/otel', '@langfuse/tracing', ...JS_EXPORTER],
    script: 'langfuse.mjs',
    lines: [
      'export LANGFUSE_BASE_URL=http://127.0.0.1:8088 LANGFUSE_PUBLIC_KEY=key LANGFUSE_SECRET_KEY=<key>',
      'new NodeTracerProvider({ spanProcessors: [new LangfuseSpanProcessor()] }).register();',
      'const client = observeOpenAI(new OpenAI());',
    ],
  },
  {
    id: 'ai-sdk',
    label: 'Vercel AI SDK',
    packages: ['ai', '@ai-sdk/openai', '@ai-sdk/otel', 'zod', ...JS_EXPORTER],
    script: 'ai_sdk.mjs',
    lines: [...JS_PROVIDER, 'registerTelemetry(new OpenTelemetry({ runtimeContext: true, usage: true }));'],
  },
];
