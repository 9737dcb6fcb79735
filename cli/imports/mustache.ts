/** Variables are written in double braces here, as in Mustache; an f-string has them in single ones. */
export const toMustache = (text: string): string =>
  text.replaceAll(/\{\{|\}\}|\{([^{}]*)\}/g, (found, name: string | undefined) =>
    name === undefined ? found.slice(1) : `{{${name.split(/[:!]/, 1)[0]}}}`,
  );
