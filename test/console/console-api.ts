import { getTestConsole } from './test-console.ts';

/** Calls the API of the console under test as its administrator, to make what a test then looks at. */
export async function callTestConsole<T>(method: string, path: string, body?: unknown): Promise<T> {
  const { url, api_key } = getTestConsole();
  const form = body instanceof FormData ? body : undefined;
  const response = await fetch(`${url}/v2${path}`, {
    method,
    headers: { 'Service-API-Key': api_key, ...(form ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? null : (form ?? JSON.stringify(body)),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
}
