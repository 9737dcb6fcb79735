import { type JudgedPreset, judged } from './judged.ts';

const LISTENER = 'You read conversations between users and an assistant.';
const CONVERSATION = 'Conversation: {{conversation}}';
const common = { tags: ['conversation'], input_type: 'sessions_trace_io_only', role: LISTENER } as const;

const presets: readonly JudgedPreset[] = [
  {
    ...common,
    name: 'conversation_quality',
    description: 'How pleasant, clear and on topic the conversation was, from 1 to 5.',
    output_type: 'discrete',
    num_judges: 3,
    criterion: 'how good the conversation was for the user: clear, on topic, consistent and courteous.',
    rubric: [
      '1: confusing, rude or beside the topic throughout.',
      '2: mostly so.',
      '3: mixed: it works, with misunderstandings or repetition.',
      '4: good, with small slips.',
      '5: clear, consistent and pleasant from beginning to end.',
    ],
    ignore: 'whether every fact is right, and how the user behaves.',
    unsure: 'between two steps take the lower; the end weighs more than the beginning.',
    question: CONVERSATION,
  },
  {
    ...common,
    name: 'user_intent_change',
    description: 'How often the user changes the goal in the course of the conversation.',
    output_type: 'count',
    num_judges: 1,
    criterion: 'how many times the user turns to another goal.',
    rubric: ['0: one goal throughout.', 'otherwise: the number of turns at which a new goal replaces or joins the one before.'],
    ignore: 'refining, correcting or repeating the same goal, small talk, and thanks.',
    unsure: 'write down the goal after each turn; count where it becomes another one. Coming back to an earlier goal counts.',
    question: CONVERSATION,
  },
  {
    ...common,
    name: 'user_frustration',
    description: 'Whether the user shows signs of annoyance with the assistant.',
    output_type: 'boolean',
    num_judges: 3,
    criterion: 'the user shows frustration with the assistant or with how the conversation goes.',
    rubric: [
      'true: complaints, sarcasm, insults, capitals or sighs; the same question put again because the answer did not help; giving up.',
      'false: none of these, or displeasure only with something else, such as a late parcel.',
    ],
    ignore: 'whether the user is right.',
    unsure: 'one plain correction ("no, the other one") is no frustration; the second one of the same mistake is.',
    question: CONVERSATION,
  },
  {
    ...common,
    name: 'knowledge_retention',
    description: 'Whether the assistant remembers what the user said before.',
    output_type: 'boolean',
    num_judges: 3,
    criterion: 'the assistant keeps in mind what the user told it earlier in the conversation.',
    rubric: [
      'true: it never asks again for what was said, and never contradicts it.',
      'false: at least once it asks for, ignores or contradicts something that the user had already said.',
    ],
    ignore: 'asking for a confirmation before something important, and facts that the user changed later.',
    unsure: 'a conversation in which nothing had to be remembered is true.',
    question: CONVERSATION,
  },
  {
    ...common,
    name: 'role_adherence',
    description: 'Whether the assistant stays in the role that the session brings as metadata "role".',
    output_type: 'boolean',
    num_judges: 3,
    criterion: 'the assistant stays in the role it was given, in what it says and in how it says it.',
    rubric: ['true: in every turn.', 'false: at least one turn falls out of the role or does what the role rules out.'],
    ignore: 'whether answers are right or helpful beyond the role.',
    unsure: 'courtesy and asking back fit any role that does not rule them out.',
    question: `Role: {{metadata.role}}\n\n${CONVERSATION}`,
  },
  {
    ...common,
    name: 'topic_adherence',
    description: 'Which share of the turns stays inside the topics that the session brings as metadata "topics".',
    output_type: 'percentage',
    num_judges: 1,
    criterion: 'which share of the answers of the assistant stays inside the allowed topics.',
    rubric: ['1: all of them.', '0: none. In between: answers inside divided by all answers.'],
    ignore: 'what the user asks: declining what is off the topic, or leading back, is inside.',
    unsure: 'greetings, thanks and goodbyes are inside. Go through the answers one by one.',
    question: `Allowed topics: {{metadata.topics}}\n\n${CONVERSATION}`,
  },
];

export const CONVERSATION_PRESETS = presets.map(judged);
