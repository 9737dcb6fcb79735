import { PluginError } from '../../core/plugin-sdk/index.ts';

export const refused = (): PluginError => new PluginError('unsupported', 'the URL is not one that may be called');

/** No more than a kind of failure: what exactly goes on in a network is nobody's business who gives a URL. The error itself may repeat a header. */
export function toOutboundFailure(error: unknown): PluginError {
  if (error instanceof PluginError) return error;
  const codes = codesIn(error);
  if (codes.includes('ERR_IP_BLOCKED')) return refused();
  if (codes.some((code) => code.endsWith('TIMEOUT'))) return new PluginError('unavailable', 'the URL did not respond in time');
  return new PluginError('unavailable', 'the URL could not be reached');
}

function codesIn(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as { code?: unknown };
  const inner = error instanceof AggregateError ? error.errors : [];
  return [...(typeof code === 'string' ? [code] : []), ...[error.cause, ...inner].flatMap(codesIn)];
}
