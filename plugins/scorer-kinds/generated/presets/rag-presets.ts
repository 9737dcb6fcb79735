import { type JudgedPreset, judged } from './judged.ts';

const CHECKER = 'You check what an assistant said against the sources that were retrieved for it.';
const LIBRARIAN = 'You judge what a search brought back for a query.';
const CHUNKS = 'Query: {{input}}\n\nChunks, each with its number: {{context}}';

const presets: readonly JudgedPreset[] = [
  {
    name: 'context_adherence',
    description: 'Whether every claim of the answer is supported by what was retrieved.',
    tags: ['rag'],
    input_type: 'trace_normalized',
    output_type: 'boolean',
    num_judges: 3,
    role: CHECKER,
    criterion: 'every claim that the answer makes about the world is supported by the retrieved chunks.',
    rubric: [
      'true: each claim is stated in a chunk or follows from chunks by a step that nobody would dispute.',
      'false: at least one claim is contradicted by the chunks, goes beyond them, or mixes up who, what, when or how much.',
    ],
    ignore:
      'whether the answer is true by general knowledge, whether it is complete or helpful, and sentences that claim nothing ' +
      '(greetings, offers of help, questions back, saying that the sources do not tell).',
    unsure:
      'go through the claims one by one and name the chunk for each. A claim for which you find no chunk is not supported, however ' +
      'likely it is. An answer without any claim is true.',
    question: 'Question: {{trace_input}}\n\nRetrieved chunks: {{context}}\n\nAnswer to judge: {{trace_output}}',
    examples: [
      {
        material:
          'Question: When does the museum open?\n\nRetrieved chunks: [1] The museum is open daily from 10:00 to 18:00.\n\n' +
          'Answer to judge: It opens at 10 every day, and entry is free on Sundays.',
        explanation:
          'Opening at 10 every day is in chunk 1. Free entry on Sundays is in no chunk, so one claim is not supported.',
        rating: false,
      },
      {
        material:
          'Question: When does the museum open?\n\nRetrieved chunks: [1] The museum is open daily from 10:00 to 18:00.\n\n' +
          'Answer to judge: Good question! On Mondays, too, you can come from 10 on.',
        explanation: 'Daily from 10:00 in chunk 1 includes Mondays. The greeting claims nothing.',
        rating: true,
      },
    ],
  },
  {
    name: 'completeness',
    description: 'Which share of the relevant facts that were retrieved the answer uses.',
    tags: ['rag'],
    input_type: 'trace_normalized',
    output_type: 'percentage',
    num_judges: 3,
    role: CHECKER,
    criterion: 'how many of the facts in the retrieved chunks that matter to the question are conveyed by the answer.',
    rubric: [
      '1: the answer conveys all of them.',
      '0.5: it conveys about half.',
      '0: it conveys none. In between: facts conveyed divided by facts that matter.',
    ],
    ignore:
      'facts in the chunks that the question did not ask about, claims of the answer that come from elsewhere, and wording.',
    unsure:
      'list the facts that matter first, then count those conveyed. When the chunks hold no fact that matters, the verdict is 1: there was ' +
      'nothing to leave out.',
    question: 'Question: {{trace_input}}\n\nRetrieved chunks: {{context}}\n\nAnswer to judge: {{trace_output}}',
  },
  {
    name: 'chunk_attribution_utilization',
    description: 'For each retrieved chunk, whether the answer used it.',
    tags: ['rag'],
    input_type: 'retriever_spans',
    output_type: 'retrieved_chunk_list_boolean',
    num_judges: 1,
    role: CHECKER,
    criterion: 'for each chunk, whether something in the answer comes from it.',
    rubric: [
      'true for a chunk: the answer states, paraphrases or relies on something that this chunk says.',
      'false for a chunk: the answer would be the same had it not been retrieved.',
    ],
    ignore: 'whether the chunk is relevant to the query, and whether the answer is right.',
    unsure: 'when several chunks say the same thing that the answer uses, each of them counts as used.',
    question: `${CHUNKS}\n\nAnswer that was given: {{trace_output}}`,
    examples: [
      {
        material:
          'Query: height of the tower\n\nChunks, each with its number: [1] The tower is 330 m high.\n\n[2] It was painted in 1968.\n\n' +
          'Answer that was given: It is 330 metres high.',
        explanation:
          'Chunk 1 gives the height that the answer states. Nothing in the answer is about paint, so chunk 2 was not used.',
        rating: [true, false],
      },
    ],
  },
  {
    name: 'chunk_utilization',
    description: 'Which share of the retrieved text the answer uses.',
    tags: ['rag'],
    input_type: 'retriever_spans',
    output_type: 'percentage',
    num_judges: 1,
    role: CHECKER,
    criterion: 'how much of the text of all chunks together went into the answer.',
    rubric: [
      '1: practically every sentence of the chunks was used.',
      '0: none was. In between: sentences used, by their length, divided by all text.',
    ],
    ignore: 'whether the chunks are relevant, and whether the answer is right.',
    unsure: 'go through the chunks sentence by sentence; a sentence counts as used when the answer conveys what it says.',
    question: `${CHUNKS}\n\nAnswer that was given: {{trace_output}}`,
  },
  {
    name: 'chunk_relevance',
    description: 'For each retrieved chunk, whether it is relevant to the query.',
    tags: ['rag'],
    input_type: 'retriever_spans',
    output_type: 'retrieved_chunk_list_boolean',
    num_judges: 1,
    role: LIBRARIAN,
    criterion: 'for each chunk, whether it helps to answer the query.',
    rubric: [
      'true for a chunk: it holds at least one fact that belongs in a good answer, or that is needed on the way to it.',
      'false for a chunk: it is off the topic, or on the topic without anything that helps with this query.',
    ],
    ignore: 'whether chunks repeat each other, where they stand in the list, and how they are written.',
    unsure: 'a chunk that only mentions words of the query is not relevant.',
    question: CHUNKS,
  },
  {
    name: 'context_relevance',
    description: 'Whether the retrieved chunks together suffice to answer the query.',
    tags: ['rag'],
    input_type: 'retriever_spans',
    output_type: 'boolean',
    num_judges: 3,
    role: LIBRARIAN,
    criterion: 'somebody who knew nothing but the chunks could answer the query fully.',
    rubric: [
      'true: everything that a full answer needs is in the chunks, taken together.',
      'false: some part of the query stays open, or the chunks contradict each other on it.',
    ],
    ignore: 'chunks that do not matter, and what you know yourself.',
    unsure: 'name what a full answer needs, piece by piece, and the chunk that has it. A missing piece makes it false.',
    question: CHUNKS,
  },
  {
    name: 'context_recall',
    description: 'Which share of the statements of the reference answer is found in the retrieved chunks.',
    tags: ['rag'],
    input_type: 'retriever_spans',
    output_type: 'percentage',
    num_judges: 3,
    ground_truth: true,
    role: LIBRARIAN,
    criterion: 'how many of the statements of the reference answer can be found in the chunks.',
    rubric: ['1: all of them.', '0: none. In between: statements found divided by all statements of the reference answer.'],
    ignore: 'what the chunks say beyond the reference answer, and whether the reference answer is right.',
    unsure: 'split the reference answer into single statements and name the chunk for each; one without a chunk is not found.',
    question: `${CHUNKS}\n\nReference answer: {{ground_truth}}`,
  },
];

export const RAG_PRESETS = presets.map(judged);
