const MAX_BYTES = 256 * 1024;

/** The text at an address, up to 256 KiB. Rejects when the answer is larger, or anything but 200. */
export async function boundedText(address: string, init: RequestInit): Promise<string> {
  const reply = await fetch(address, init);
  if (reply.status !== 200) throw new Error(`the answer was ${reply.status}`);
  return bounded(reply);
}

/** Reads a body within the limit. The bytes that arrive count, whatever the response declares of its length. */
async function bounded(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of reply.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
