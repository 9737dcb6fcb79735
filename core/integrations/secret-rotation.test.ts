import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MemoryIntegrationStore } from '../../adapters/memory/integrations/memory-integration-store.ts';
import { MemoryDatabase } from '../../adapters/memory/memory-database.ts';
import { AesSecretBox } from '../../adapters/security/aes-secret-box.ts';
import { SecretRotation } from './secret-rotation.ts';

const OLD = 'an old key that is long enough to be one';
const NEW = 'a new key that is long enough to be one, too';
const toBox = (...keys: string[]) => new AesSecretBox(() => keys);

async function storeWith(count: number, box: AesSecretBox) {
  const integrationStore = new MemoryIntegrationStore({ database: new MemoryDatabase() });
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) {
    const now = '2026-01-02T03:04:05.678Z';
    const secrets = box.seal(id, [{ path: ['token'], text: `secret of ${id}` }]);
    const facts = { provider: 'gateway', settings: {}, is_disabled: false, created_by: randomUUID() };
    await integrationStore.insert({ ...facts, id, name: 'gateway', secrets, created_at: now, updated_at: now });
  }
  return { integrationStore, ids };
}

describe('rotating the key of secrets', () => {
  it('wraps all by the new one, so that the old one is not needed any more', async () => {
    const { integrationStore, ids } = await storeWith(250, toBox(OLD));
    const rotation = new SecretRotation({ sealedStores: [integrationStore], secretBox: toBox(NEW, OLD) });
    expect(await rotation.rewrapAll()).toBe(250);
    expect(await rotation.rewrapAll()).toBe(0);
    expect(await rotation.keysInUse()).toEqual([toBox(NEW).currentKeyId]);
    const opened = await Promise.all(
      ids.map(async (id) => toBox(NEW).open(id, (await integrationStore.find(id))!.secrets)[0]!.text),
    );
    expect(opened).toEqual(ids.map((id) => `secret of ${id}`));
  });

  it('stops before anything is changed when a key is missing', async () => {
    const { integrationStore, ids } = await storeWith(1, toBox(OLD));
    const before = await integrationStore.find(ids[0]!);
    await expect(new SecretRotation({ sealedStores: [integrationStore], secretBox: toBox(NEW) }).rewrapAll()).rejects.toThrow(
      'not given',
    );
    expect(await integrationStore.find(ids[0]!)).toEqual(before);
  });
});

describe('the look at the keys before a start', () => {
  it('passes with the keys that are needed, and without secrets by any', async () => {
    const { integrationStore } = await storeWith(2, toBox(OLD));
    await new SecretRotation({ sealedStores: [integrationStore], secretBox: toBox(NEW, OLD) }).verify();
    await new SecretRotation({
      sealedStores: [new MemoryIntegrationStore({ database: new MemoryDatabase() })],
      secretBox: toBox(NEW),
    }).verify();
  });

  it('names the key that is missing and what to set', async () => {
    const { integrationStore } = await storeWith(2, toBox(OLD));
    const verifying = new SecretRotation({ sealedStores: [integrationStore], secretBox: toBox(NEW) }).verify();
    await expect(verifying).rejects.toThrow(`(${toBox(OLD).currentKeyId}): set SECRETS_KEY`);
  });
});
