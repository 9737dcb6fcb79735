import { AGENT_PRESETS } from './agent-presets.ts';
import { ANSWER_PRESETS } from './answer-presets.ts';
import { CODE_PRESETS } from './code-presets.ts';
import { CONVERSATION_PRESETS } from './conversation-presets.ts';
import { FINETUNED_PRESETS } from './finetuned-presets.ts';
import type { Preset } from './preset.ts';
import { RAG_PRESETS } from './rag-presets.ts';
import { SAFETY_PRESETS } from './safety-presets.ts';
import { SQL_PRESETS } from './sql-presets.ts';

/** Every scorer that exists from the first start. */
export const PRESETS: readonly Preset[] = [
  ...RAG_PRESETS,
  ...ANSWER_PRESETS,
  ...SAFETY_PRESETS,
  ...AGENT_PRESETS,
  ...CONVERSATION_PRESETS,
  ...SQL_PRESETS,
  ...CODE_PRESETS,
  ...FINETUNED_PRESETS,
];
