import { useState } from 'preact/hooks';
import { FilePart } from './file-part.tsx';
import { LongText } from './long-text.tsx';
import { type Message, type Part, parsedJson, type ToolCall } from './payload.ts';
import { stepColor } from './steps/step-color.ts';

/** Of a long conversation the end is what a step answered to; the rest is there when asked for. */
const SHOWN = 12;

export function Conversation({ messages }: { messages: readonly Message[] }) {
  const [all, setAll] = useState(false);
  const hidden = all || messages.length <= SHOWN + 1 ? 0 : messages.length - SHOWN;
  const names = new Map(messages.flatMap(({ tool_calls }) => tool_calls.map(({ id, name }) => [id, name] as const)));
  return (
    <>
      {hidden > 0 && (
        <button type="button" class="btn btn-link btn-sm p-0 mb-1" onClick={() => setAll(true)}>
          Show the {hidden} messages before
        </button>
      )}
      <ol class="conversation">
        {messages.slice(hidden).map((message, at) => (
          <MessageView key={hidden + at} message={message} answered={names.get(message.tool_call_id ?? '')} />
        ))}
      </ol>
    </>
  );
}

/** Those that have a style of their own. A sender may call a speaker anything, which must not become a class of the page. */
const KNOWN_ROLES = new Set(['agent', 'assistant', 'developer', 'function', 'system', 'tool', 'user']);

/** `answered` is the name of the tool whose answer it is. */
function MessageView({ message, answered }: { message: Message; answered: string | undefined }) {
  const { role, parts, tool_calls, tool_call_id } = message;
  return (
    <li class={`message role-${KNOWN_ROLES.has(role) ? role : 'other'}`}>
      <div class="message-role">
        {role || 'unnamed'}
        {tool_call_id !== undefined && <span title={tool_call_id}> · answer of {answered ?? tool_call_id}</span>}
      </div>
      <PartsView parts={parts} />
      {tool_calls.map((call, at) => (
        <ToolCallView key={at} call={call} />
      ))}
      {parts.length === 0 && tool_calls.length === 0 && <span class="text-body-secondary">empty</span>}
    </li>
  );
}

export const PartsView = ({ parts }: { parts: readonly Part[] }) => (
  <>
    {parts.map((part, at) => (
      <PartView key={at} part={part} />
    ))}
  </>
);

function PartView({ part }: { part: Part }) {
  if (part.kind === 'picture') return <img class="message-picture" src={part.url} alt="Shown to the model" />;
  if (part.kind === 'file') return <FilePart file_id={part.file_id} modality={part.modality} />;
  if (part.kind === 'text') return <TextOrJson text={part.text} />;
  return (
    <div>
      <span class="badge text-bg-secondary">{part.type}</span>
      <LongText mono text={JSON.stringify(part.value, null, 2)} />
    </div>
  );
}

const ToolCallView = ({ call }: { call: ToolCall }) => (
  <div class="tool-call">
    <div>
      <span class="step-badge" style={stepColor('tool')}>
        call
      </span>{' '}
      <strong class="font-monospace">{call.name}</strong> <span class="small text-body-secondary">{call.id}</span>
    </div>
    <TextOrJson text={call.arguments} />
  </div>
);

/** JSON in a text is laid out; any other text is left alone. */
export function TextOrJson({ text }: { text: string }) {
  const json = parsedJson(text);
  return json === undefined ? <LongText text={text} /> : <LongText mono text={JSON.stringify(json, null, 2)} />;
}
