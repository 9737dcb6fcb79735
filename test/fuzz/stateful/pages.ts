import type { Ask, Fields } from './kinds.ts';

const A_PAGE = 3;

/** Everything that a list holds, by pages that are small enough for there to be several. */
export async function toPages(ask: Ask, method: string, path: string, key: string): Promise<Fields[]> {
  const found: Fields[] = [];
  for (let token: number | null = 0; token !== null; ) {
    const { status, body } = await ask(
      method,
      `${path}?limit=${A_PAGE}&starting_token=${token}`,
      method === 'POST' ? {} : undefined,
    );
    if (status !== 200) throw new Error(`${path} answers ${status}`);
    found.push(...body[key]);
    token = body.next_starting_token;
  }
  return found;
}
