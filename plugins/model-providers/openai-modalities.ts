const SEES = /^(ft:)?(chatgpt-4o|gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|o1(?!-(mini|preview))|o3(?!-mini)|o4)/;
const HEARS = /audio|realtime/;

/** Kinds of input that a model of OpenAI reads: lists of models do not give them, so it is known by name. */
export const openaiModalities = (name: string): string[] => [
  'text',
  ...(SEES.test(name) && !HEARS.test(name) ? ['image'] : []),
  ...(HEARS.test(name) ? ['audio'] : []),
];
