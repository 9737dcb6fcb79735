/** Splits a comma-separated list, each entry once and none empty. */
export const commaList = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];
