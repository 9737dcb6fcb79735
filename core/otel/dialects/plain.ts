import { messagesAt, type SpanReader, source, textAt } from '../../plugin-sdk/otel/index.ts';
import { lastException } from '../exception.ts';
import { vocabulary } from './vocabulary.ts';

const URLS = ['url.full', 'http.url', 'url.path', 'http.target', 'http.route'];

/** Spans of protocols and databases, and names so plain that anybody may have chosen them. */
export const plain = vocabulary({
  type: [source(8.1, (reader) => (reader.peekText('mcp.method.name')?.toLowerCase() === 'tools/call' ? 'tool' : undefined))],
  input_messages: [messagesAt(10.4, 'input', 'input')],
  output_messages: [messagesAt(10.4, 'output', 'output')],
  input_text: [textAt(10.1, 'input')],
  output_text: [textAt(10.1, 'output')],
  weak_input_text: [
    textAt(12, 'db.query.text'),
    textAt(12.1, 'db.statement'),
    source(13, httpRequest),
    source(14, (reader) => {
      const [service, method] = [reader.text('rpc.service'), reader.text('rpc.method')];
      return service && method && `${service}/${method}`;
    }),
  ],
  weak_output_text: [
    source(13, (reader) => {
      const status = reader.text('http.response.status_code') ?? reader.text('http.status_code');
      return status && `HTTP ${status}`;
    }),
  ],
  error_text: [source(2, (reader) => lastException(reader)?.message), textAt(3, 'error.message')],
});

function httpRequest(reader: SpanReader): string | undefined {
  const method = reader.text('http.request.method') ?? reader.text('http.method');
  const key = URLS.find((candidate) => reader.peekText(candidate) !== undefined);
  return method === undefined || key === undefined ? undefined : `${method} ${reader.text(key)}`;
}
