import assert from 'node:assert/strict';
import { type CodeFlow, type Identity, PluginError, type z } from '../../core/plugin-sdk/index.ts';
import { type Check, captureFailure, check, expectNone, expectSame, until } from '../check.ts';
import { type IdentityProviderCase, SAMPLE_SIGN_IN } from './identity-case.ts';
import type { IdentityStage } from './identity-stage.ts';

const { code_verifier, code_challenge, redirect_uri, state, nonce } = SAMPLE_SIGN_IN;
const REQUEST = { redirect_uri, state, nonce, code_challenge };

/** Properties of the authorization code flow, where a provider has it. */
export function codeFlowChecks<S extends z.ZodType>(
  { codes, expected, plugin }: IdentityProviderCase<S>,
  stage: IdentityStage<S>,
  canaries: readonly string[],
): Check[] {
  const flow = (): CodeFlow => stage.create().codeFlow ?? assert.fail('the settings of the case are to have the code flow');
  const redeem = (code: string, more: object = {}, signal = new AbortController().signal): Promise<Identity | undefined> =>
    flow().redeem({ code, code_verifier, redirect_uri, nonce, ...more }, signal);
  const isRefused = async (call: Promise<Identity | undefined>, what: string): Promise<void> => {
    const outcome = await call.catch((error: unknown) => {
      assert.ok(error instanceof PluginError && !error.retryable, `it threw ${error}`);
    });
    assert.equal(outcome ?? undefined, undefined, `somebody is logged in by ${what}`);
  };
  if (codes === undefined)
    return [check('has a case for its code flow, or none', () => assert.equal(stage.create().codeFlow, undefined, plugin.id))];
  return [
    check('sends browsers to sign in with state, nonce and challenge, and with no secret', async () => {
      const url = new URL((await flow().authorize(REQUEST, new AbortController().signal)) ?? '');
      const sent = Object.fromEntries(url.searchParams);
      const wanted = { redirect_uri, state, nonce, code_challenge, code_challenge_method: 'S256', response_type: 'code' };
      assert.partialDeepStrictEqual(sent, wanted);
      expectNone([code_verifier, ...canaries], url.href);
    }),
    check('redeems a code by the verifier of its sign-in, and puts neither into a URL', async () => {
      expectSame(await redeem(codes.good), expected);
      expectNone(
        [codes.good, code_verifier, ...canaries],
        stage.fake.seen.map(({ url }) => url),
      );
      await isRefused(redeem(codes.good, { code_verifier: 'x'.repeat(43) }), 'another verifier');
    }),
    check('takes no code of another sign-in', async () => {
      await isRefused(redeem(codes.good, { nonce: 'another' }), 'a code of another nonce');
      for (const code of codes.bad) await isRefused(redeem(code), `"${code}"`);
    }),
    check('says that it cannot redeem a code now, and repeats nothing', async () => {
      const { answer } = stage.fake;
      stage.fake.answer = (seen) => (seen.method === 'POST' ? { status: 503, body: canaries.join(' ') } : answer(seen));
      const error = await captureFailure(redeem(codes.good));
      assert.ok(error.retryable, 'it says that it is final');
      expectNone([codes.good, code_verifier, ...canaries], error, stage.logged);
      assert.equal(stage.fake.seen.filter(({ method }) => method === 'POST').length, 1, 'a code is good once');
    }),
    check('ends a code that is being redeemed with the reason of an abort', async () => {
      const { answer } = stage.fake;
      stage.fake.answer = (seen) => (seen.method === 'POST' ? 'silence' : answer(seen));
      const [reason, controller] = [new Error('the caller changed its mind'), new AbortController()];
      const call = redeem(codes.good, {}, controller.signal);
      call.catch(() => {});
      await until('a request', () => stage.fake.seen.some(({ method }) => method === 'POST'));
      controller.abort(reason);
      await assert.rejects(call, (error) => error === reason);
    }),
  ];
}
