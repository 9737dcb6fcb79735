import assert from 'node:assert/strict';
import { type Identity, PluginError, z } from '../../core/plugin-sdk/index.ts';
import { type Check, type CheckList, captureFailure, check, expectNone, expectSame, until } from '../check.ts';
import { folderChecks } from '../folder-checks.ts';
import { headCheck, sameHeadCheck } from '../head-check.ts';
import { processState } from '../process-state.ts';
import { listForms, secretsIn } from '../secrets.ts';
import { settingsChecks } from '../settings-checks.ts';
import { codeFlowChecks } from './code-flow-checks.ts';
import { BAD_CREDENTIALS, type IdentityProviderCase } from './identity-case.ts';
import { IdentityStage } from './identity-stage.ts';

export { type BadCredential, type Credentials, type IdentityProviderCase, SAMPLE_SIGN_IN } from './identity-case.ts';

const ECHO = 'echo-of-the-upstream-service';

const Shape = z.strictObject({
  issuer: z.string().min(1),
  subject: z.string().min(1).max(255),
  email: z.string().nullable(),
  email_verified: z.boolean(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  expires_at: z.iso.datetime(),
});

/** Checks that every identity-provider plugin has to pass. */
export function identityProviderChecks<S extends z.ZodType>(given: IdentityProviderCase<S>): CheckList {
  const { plugin, settings, folder, expected, lacks = [] } = given;
  const stage = new IdentityStage(given);
  const canaries = secretsIn(plugin.settings, settings).flatMap(listForms);
  const checks = [
    headCheck(plugin),
    sameHeadCheck(plugin, settings),
    ...settingsChecks(given, { canaries }),
    check('says whose word it takes, and takes no other', async () => {
      const issuers = plugin.issuers(plugin.settings.parse(settings));
      const { good } = await stage.credentials;
      const identity = await stage.identify(good);
      assert.ok(identity && issuers.includes(identity.issuer), `"${identity?.issuer}" is none of ${issuers.join(', ')}`);
    }),
    check('does nothing when it is created', () => {
      stage.create();
      expectSame([...stage.asked, ...stage.past], []);
    }),
    check('says where browsers sign in', async () => {
      const { signal } = new AbortController();
      expectSame((await stage.create().signIn?.(signal)) ?? undefined, given.signIn);
    }),
    check('knows who a good credential is of', async () => {
      const identity = await stage.identify((await stage.credentials).good);
      expectSame(identity, expected);
      Shape.parse(identity);
    }),
    check('says that an address is verified only where the issuer does', async () => {
      const identity = await stage.identify((await stage.credentials).silent_about_email);
      assert.equal(identity?.email_verified, false);
    }),
    check('calls a person the same each time, and another one otherwise', async () => {
      const { good, other } = await stage.credentials;
      const provider = stage.create();
      const { signal } = new AbortController();
      const subjects = [];
      for (const one of [good, other, good, other]) subjects.push((await provider.identify(one, signal))?.subject);
      expectSame(subjects, [subjects[0], subjects[1], subjects[0], subjects[1]]);
      assert.notEqual(subjects[0], subjects[1], 'two people have one subject');
      assert.equal((await stage.identify(good))?.subject, subjects[0], 'after a restart the person is another one');
    }),
    check('shows every way in which a credential is bad', async () => {
      const { bad } = await stage.credentials;
      expectSame(
        BAD_CREDENTIALS.filter((name) => bad[name] === undefined && !lacks.includes(name)),
        [],
      );
    }),
    ...BAD_CREDENTIALS.filter((name) => !lacks.includes(name)).map((name) =>
      check(`refuses a credential that is ${name.replaceAll('_', ' ')}`, async () => {
        const { bad } = await stage.credentials;
        if (bad[name] !== undefined) await refuses(stage, bad[name]);
      }),
    ),
    check('remembers no credential for good that it knew before', async () => {
      const { good, bad } = await stage.credentials;
      const { signal } = new AbortController();
      const provider = stage.create();
      await provider.identify(good, signal);
      for (const [name, one] of Object.entries(bad)) {
        const again = await provider.identify(one, signal).catch(() => undefined);
        assert.equal(again ?? undefined, undefined, `after a good one, somebody is logged in by one that is ${name}`);
      }
    }),
    check('refuses what is no credential', async () => {
      for (const text of ['', 'garbage', '..', 'a.b.c', '\u0000', 'x'.repeat(16_000)]) await refuses(stage, text);
    }),
    ...upstreamChecks(stage, canaries),
    ...codeFlowChecks(given, stage, canaries),
    ...stateChecks(given, stage),
    ...folderChecks(folder, plugin.settings),
  ];
  return {
    title: `identity provider ${plugin.id}`,
    checks,
    open: () => stage.open(),
    reset: () => stage.reset(),
    close: () => stage.close(),
  };
}

async function refuses<S extends z.ZodType>(stage: IdentityStage<S>, credential: string): Promise<void> {
  const outcome: Identity | undefined = await stage.identify(credential).catch((error: unknown) => {
    assert.ok(error instanceof PluginError && !error.retryable, `it threw ${error}: say undefined`);
    return undefined;
  });
  assert.equal(outcome ?? undefined, undefined, 'somebody is logged in by it');
}

/** Replies that the service behind the provider may give. */
function upstreamChecks<S extends z.ZodType>(stage: IdentityStage<S>, canaries: readonly string[]): Check[] {
  const fails = async (): Promise<PluginError> => {
    const { good } = await stage.credentials;
    const error = await captureFailure(stage.identify(good));
    expectNone([ECHO, good, ...canaries], error, stage.logged);
    return error;
  };
  return [
    ...[429, 500, 503].map((status) =>
      check(`says that it cannot tell now at status ${status}, and repeats nothing`, async () => {
        stage.fake.answer = () => ({ status, body: `${ECHO} ${canaries.join(' ')}` });
        const { failure } = await fails();
        assert.ok(['unavailable', 'rate_limited'].includes(failure), `"${failure}" says that it is final`);
      }),
    ),
    check('takes no other reply for a word on anybody', async () => {
      for (const body of [ECHO, '{}', '[]', 'null', '<html>']) {
        stage.fake.answer = () => ({ body });
        const { good } = await stage.credentials;
        const outcome = await stage.identify(good).catch((error: unknown) => {
          assert.ok(error instanceof PluginError, `it threw ${error}`);
          expectNone([ECHO, ...canaries], error);
        });
        assert.equal(outcome ?? undefined, undefined, `somebody is logged in by "${body}"`);
        const { signal } = new AbortController();
        const sentTo = await stage
          .create()
          .signIn?.(signal)
          .catch(() => undefined);
        assert.equal(sentTo ?? undefined, undefined, `browsers are sent somewhere by "${body}"`);
      }
    }),
    check('follows no redirect', async () => {
      const { answer } = stage.fake;
      stage.fake.answer = (request) =>
        request.url.includes('elsewhere')
          ? answer({ ...request, url: request.url.replace('elsewhere.', '') })
          : { status: 307, headers: { location: request.url.replace('://', '://elsewhere.') }, body: '' };
      const { good } = await stage.credentials;
      assert.equal((await stage.identify(good).catch(() => undefined)) ?? undefined, undefined);
      assert.ok(!stage.fake.seen.some(({ url }) => url.includes('elsewhere')), 'it went where the redirect leads');
    }),
    check('reads no reply without end', async () => {
      stage.fake.answer = () => 'endless';
      const { good } = await stage.credentials;
      const controller = new AbortController();
      const late = setTimeout(() => controller.abort(new Error('it reads on')), 2_000);
      await captureFailure(stage.identify(good, controller.signal)).finally(() => clearTimeout(late));
    }),
    check('says that the upstream service cannot be reached, without repeating why', async () => {
      stage.fetch = () => Promise.reject(new TypeError(`fetch failed: ${ECHO} ${canaries.join(' ')}`));
      assert.ok((await fails()).retryable, 'it says that it is final');
    }),
    check('ends with the reason of an abort', async () => {
      const { good } = await stage.credentials;
      const reason = new Error('the caller changed its mind');
      await assert.rejects(stage.identify(good, AbortSignal.abort(reason)), (error) => error === reason);
      stage.fake.answer = () => 'silence';
      const controller = new AbortController();
      const call = stage.identify(good, controller.signal);
      call.catch(() => {});
      await until('a request', () => stage.fake.seen.length > 0);
      controller.abort(reason);
      await assert.rejects(call, (error) => error === reason, 'it is to reject with the reason of the signal');
    }),
  ];
}

/** State that it keeps and changes: its own alone. */
function stateChecks<S extends z.ZodType>(given: IdentityProviderCase<S>, stage: IdentityStage<S>): Check[] {
  const { plugin, settings, otherSettings, expected } = given;
  const { signal } = new AbortController();
  return [
    check('keeps two providers apart', async () => {
      const { good } = await stage.credentials;
      const [first, second] = [stage.create(), stage.create(otherSettings)];
      expectSame(await first.identify(good, signal), expected);
      const others = await second.identify(good, signal).catch(() => undefined);
      assert.equal(others ?? undefined, undefined, 'a credential for one provider is good for another');
      expectSame(await first.identify(good, signal), expected);
    }),
    check('keeps two calls apart', async () => {
      const { good, other } = await stage.credentials;
      const provider = stage.create();
      const both = await Promise.all([provider.identify(good, signal), provider.identify(other, signal)]);
      expectSame(both[0], expected);
      assert.notEqual(both[1]?.subject, expected.subject);
    }),
    check('changes nothing that it is given', async () => {
      const parsed = plugin.settings.parse(settings);
      const before = structuredClone(parsed);
      await stage.identify((await stage.credentials).good);
      const provider = plugin.create(
        { fetch: stage.fake.fetch, clock: () => new Date('2026-01-01T00:00:00Z'), log: () => {} },
        parsed,
      );
      await provider.identify((await stage.credentials).good, signal);
      assert.deepEqual(parsed, before);
    }),
    check('asks only through the host', async () => {
      await stage.identify((await stage.credentials).good);
      await stage
        .create()
        .signIn?.(signal)
        .catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.deepEqual(stage.past, [], 'went past what the host lends');
    }),
    check('leaves the process as it was', async () => {
      const { good } = await stage.credentials;
      const state = processState();
      await stage.identify(good).finally(() => state.restore());
      assert.deepEqual(state.changes(), []);
    }),
    check('logs neither secret nor credential', async () => {
      const { good, bad } = await stage.credentials;
      for (const one of [good, ...Object.values(bad)]) await stage.identify(one).catch(() => {});
      const secrets = secretsIn(plugin.settings, settings).flatMap(listForms);
      expectNone([good, ...Object.values(bad), ...secrets], stage.logged);
    }),
  ];
}
