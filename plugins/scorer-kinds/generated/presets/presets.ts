import type { ScorerPreset } from '../../../../core/plugin-sdk/index.ts';
import { AGENT_PRESETS } from './agent-presets.ts';
import { ANSWER_PRESETS } from './answer-presets.ts';
import { CONVERSATION_PRESETS } from './conversation-presets.ts';
import { RAG_PRESETS } from './rag-presets.ts';
import { SAFETY_PRESETS } from './safety-presets.ts';
import { SQL_PRESETS } from './sql-presets.ts';

/** Judges that exist from the first start. */
export const PRESETS: readonly ScorerPreset[] = [
  ...RAG_PRESETS,
  ...ANSWER_PRESETS,
  ...SAFETY_PRESETS,
  ...AGENT_PRESETS,
  ...CONVERSATION_PRESETS,
  ...SQL_PRESETS,
];
