/** The hash comes from outside, because `core` has no crypto of its own. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** SHA-256 of a text, in hexadecimal digits. */
export const computeDigest = (text: string, sha256: Sha256): string => parseHex(sha256(new TextEncoder().encode(text)));

export const parseHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
