import { type JudgedPreset, judged } from './judged.ts';

const OBSERVER = 'You watch an agent that works on tasks of users with the help of tools.';
const WHOLE_TRACE = 'What happened, step by step: {{trace}}';

const presets: readonly JudgedPreset[] = [
  {
    name: 'tool_selection_quality',
    description: 'Whether the right tool was called with the right arguments, or rightly none.',
    tags: ['agent'],
    input_type: 'llm_spans',
    output_type: 'boolean',
    num_judges: 3,
    role: OBSERVER,
    criterion:
      'given the messages and the tools on offer, the model called the right tools with the right arguments, or rightly none.',
    rubric: [
      'true: every call is to a tool that exists and fits the task, its arguments are those that the messages give, and nothing needed ' +
        'is missing; or no tool was needed and none was called.',
      'false: a wrong or invented tool, a missing call, an argument that is wrong, missing or made up, or a call that nobody needed.',
    ],
    ignore: 'what the tool answered later, and how the model words the rest of its answer.',
    unsure: 'asking the user for an argument that the messages do not give is right. Of several fitting tools any will do.',
    question: 'Messages: {{input}}\n\nTools on offer: {{tools}}\n\nWhat the model did: {{output}}',
    examples: [
      {
        material:
          'Messages: user: Is order 4711 on its way?\n\nTools on offer: {"name":"order_status","parameters":{"order_id":"string"}}\n\n' +
          'What the model did: [calls order_status({"order_id":"4711"})]',
        explanation: 'The only tool fits, and its argument is the number that the user gave.',
        rating: true,
      },
      {
        material:
          'Messages: user: Is my order on its way?\n\nTools on offer: {"name":"order_status","parameters":{"order_id":"string"}}\n\n' +
          'What the model did: [calls order_status({"order_id":"12345"})]',
        explanation: 'The user gave no number; the argument is made up, where the model should have asked.',
        rating: false,
      },
    ],
  },
  {
    name: 'tool_error_rate',
    description: 'Whether the call of a tool failed.',
    tags: ['agent', 'operation'],
    input_type: 'tool_spans',
    output_type: 'boolean',
    num_judges: 1,
    role: 'You read the records of calls of tools.',
    criterion: 'the call failed.',
    rubric: [
      'true: its status is 400 or above, or its result reports an error, a refusal, a time-out or a crash in any words.',
      'false: it did what it was called for, also when it found nothing.',
    ],
    ignore: 'whether the call made sense, and warnings beside a result.',
    unsure: 'a result that is empty without any sign of an error is no failure.',
    question: 'Call to judge: {{material}}',
  },
  {
    name: 'agentic_workflow_success',
    description: 'Whether at least one goal of the user was moved forward without error.',
    tags: ['agent'],
    input_type: 'trace_normalized',
    output_type: 'boolean',
    num_judges: 5,
    role: OBSERVER,
    criterion:
      'by the end of the trace at least one goal of the user is accomplished or nearer than before, and nothing said on the way is wrong.',
    rubric: [
      'true: a goal was reached, or a step towards it was made that the user can build on, and what the agent says about it agrees with ' +
        'what its tools returned.',
      'false: no goal moved; or the agent claims what its tools do not show, ignores an error, or does something that harms a goal.',
    ],
    ignore: 'style, speed, and detours that did no harm.',
    unsure: 'name the goals first. A question back that the agent needs to go on moves a goal forward.',
    question: WHOLE_TRACE,
  },
  {
    name: 'agentic_session_success',
    description: 'Whether all goals of the user were reached or correctly answered by the end of the session.',
    tags: ['agent', 'conversation'],
    input_type: 'sessions_normalized',
    output_type: 'boolean',
    num_judges: 3,
    role: OBSERVER,
    criterion: 'by the end of the session every goal that the user brought up and did not drop is reached, or rightly answered.',
    rubric: [
      'true: all of them; what is out of reach was said to be, with the right reason.',
      'false: at least one is open, wrong, or only claimed to be done.',
    ],
    ignore: 'how many turns it took, and tone.',
    unsure: 'list the goals and where each one ended. What tools returned counts, not what the agent says they did.',
    question: 'The session, step by step: {{trace}}',
  },
  {
    name: 'agent_efficiency',
    description: 'How free of needless steps the way was, from 1 to 5.',
    tags: ['agent'],
    input_type: 'trace_normalized',
    output_type: 'discrete',
    num_judges: 3,
    role: OBSERVER,
    criterion: 'how directly the agent went about its task.',
    rubric: [
      '1: it went in circles, or most steps were needless.',
      '2: many needless or repeated steps.',
      '3: several.',
      '4: one or two, without harm.',
      '5: every step was needed where it was taken.',
    ],
    ignore: 'whether the task was solved, and how long single steps took.',
    unsure:
      'name each step that could be left out. The same call again after an error that may pass is needed; the same call for the same ' +
      'result is not.',
    question: WHOLE_TRACE,
  },
  {
    name: 'agent_flow',
    description: 'Whether the path of the agent obeys the rules that the trace brings as metadata "rules".',
    tags: ['agent'],
    input_type: 'trace_normalized',
    output_type: 'boolean',
    num_judges: 3,
    role: OBSERVER,
    criterion: 'the path that the agent took obeys every rule that its owner wrote.',
    rubric: ['true: each rule that applies was kept, in the order it asks for.', 'false: at least one that applies was broken.'],
    ignore: 'whether the task was solved, and rules about situations that did not arise.',
    unsure: 'go through the rules one by one and name the step that keeps or breaks each. What is not recorded did not happen.',
    question: `Rules of the owner: {{metadata.rules}}\n\n${WHOLE_TRACE}`,
  },
];

export const AGENT_PRESETS = presets.map(judged);
