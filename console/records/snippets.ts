/** Names that a snippet contains. */
export interface SnippetFacts {
  readonly project_id: string;
  readonly log_stream_id: string;
  /** Of the service, without a slash at the end. */
  readonly address: string;
  readonly key: string;
}

interface Snippet {
  readonly label: string;
  text(facts: SnippetFacts): string;
}

const curl = ({
  project_id,
  log_stream_id,
  address,
  key,
}: SnippetFacts): string => `curl ${address}/v2/projects/${project_id}/traces \\
  -H "Service-API-Key: ${key}" -H "Content-Type: application/json" \\
  -d '{
    "log_stream_id": "${log_stream_id}",
    "traces": [{
      "type": "trace", "name": "first question", "input": "What is 6 times 7?", "output": "42",
      "spans": [{ "type": "llm", "name": "answer", "input": "What is 6 times 7?", "output": "42" }]
    }]
  }'`;

const openTelemetry = ({ project_id, log_stream_id, address, key }: SnippetFacts): string =>
  `export OTEL_EXPORTER_OTLP_ENDPOINT=${address}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_HEADERS="Service-API-Key=${key},project-id=${project_id},logstream-id=${log_stream_id}"`;

const collector = ({ project_id, log_stream_id, address, key }: SnippetFacts): string => `exporters:
  otlphttp/touchstone:
    endpoint: ${address}
    headers:
      Service-API-Key: ${key.replace(/^\$(\w+)$/, '$${env:$1}')}
      project-id: ${project_id}
      logstream-id: ${log_stream_id}
service:
  pipelines:
    traces:
      exporters: [otlphttp/touchstone]`;

/** Ways to send traces to one log stream, each complete. */
export const SNIPPETS: readonly Snippet[] = [
  { label: 'curl', text: curl },
  { label: 'OpenTelemetry', text: openTelemetry },
  { label: 'Collector', text: collector },
];
