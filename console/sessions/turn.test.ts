import { describe, expect, it } from 'vitest';
import { parsePayload } from '../traces/payload.ts';
import { toNode } from '../traces/test-nodes.ts';
import { newMessages } from './new-messages.ts';
import { toTurns } from './turn.ts';

const at = (second: number, fields: Record<string, unknown> = {}) =>
  toNode(`at ${second}`, { type: 'trace', created_at: new Date(second * 1000).toISOString(), ...fields });
const lasting = (seconds: number) => ({ metrics: { duration_ns: seconds * 1e9 } });

describe('the turns of a session', () => {
  it('are counted over all pages', () => {
    expect(toTurns([at(1), at(2)], 50).map(({ number }) => number)).toEqual([51, 52]);
  });

  it('lie apart by the time since the one before ended, where that is known', () => {
    const turns = toTurns([at(10, lasting(2)), at(15), at(20, lasting(10)), at(25)], 0);
    expect(turns.map(({ gap }) => gap)).toEqual([undefined, 3e9, undefined, -5e9]);
  });

  it('tell how many of their steps failed, apart from themselves', () => {
    const spans = [toNode('bad', { status_code: 500 }), toNode('good', { status_code: 200 })];
    const [turn] = toTurns([at(1, { status_code: 500, spans })], 0);
    expect([turn!.failedSteps, turn!.trace.failed]).toEqual([1, true]);
  });
});

describe('the new messages of a turn', () => {
  const said = (...roles: string[]) => {
    const payload = parsePayload(roles.map((role) => ({ role, content: role })));
    return payload.kind === 'messages' ? newMessages(payload.messages).map(({ role }) => role) : [];
  };

  it('are those since the model spoke last', () => {
    expect(said('system', 'user', 'assistant', 'tool', 'user')).toEqual(['tool', 'user']);
    expect(said('system', 'user')).toEqual(['system', 'user']);
  });

  it('are all when the model has the last word', () => {
    expect(said('user', 'assistant')).toEqual(['user', 'assistant']);
  });
});
