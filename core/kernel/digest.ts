/** In hexadecimal digits. The hash comes from outside, because `core` has no crypto of its own. */
export type Sha256 = (bytes: Uint8Array) => string;

/** SHA-256 of a text, in hexadecimal digits. */
export const computeDigest = (text: string, sha256: Sha256): string => sha256(new TextEncoder().encode(text));
