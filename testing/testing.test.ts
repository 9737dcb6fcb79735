import { describe, expect, it } from 'vitest';
import { openServices, startService, value } from './index.ts';

describe('services that tests open', () => {
  it('share nothing with each other', async () => {
    await using one = await openServices();
    await using other = await openServices();
    await one.services.projectService.createProject(one.admin, {
      name: 'only here',
      type: 'gen_ai',
      create_example_templates: false,
    });
    expect(await other.services.projectService.listProjects(other.admin, {})).toEqual([]);
    expect(await one.services.projectService.listProjects(one.admin, {})).toHaveLength(1);
  });

  it('settle when jobs are done that were put in while others ran', async () => {
    let done = 0;
    await using opened = await openServices({
      aroundJob: async (work) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        done += 1;
        if (done < 4) await queue.put(job);
        return work();
      },
    });
    const queue = opened.services.scoringQueue;
    const job = { project_id: 'p', run_id: 'r', level: 'trace', id: 't' } as never;
    await queue.put(job);
    await opened.settled();
    expect(done).toBeGreaterThanOrEqual(4);
  });

  it('end with their service, which then takes no requests', async () => {
    const service = await startService();
    expect((await service.request('GET', '/v2/healthcheck')).status).toBe(200);
    await service.close();
    await expect(service.request('GET', '/v2/healthcheck')).rejects.toThrow();
    await expect(service.services.codeSandbox.run({} as never, [], {} as never)).rejects.toThrow('the sandbox is closed');
  });

  it('do periodic work by themselves, unless told not to', async () => {
    const seen: string[] = [];
    const idleTraces = value({
      complete: async () => {
        seen.push('looked for idle traces');
        return { completed: 0, more: false };
      },
    } as never);
    await using _quiet = await openServices({ background: false, overrides: { idleTraces } });
    expect(seen).toEqual([]);
    await using _working = await openServices({ overrides: { idleTraces } });
    await expect.poll(() => seen).toContain('looked for idle traces');
  });

  it('have the first administrator log in with the key that clients are given', async () => {
    await using service = await startService();
    const res = await fetch(`${service.url}/v2/current_user`, { headers: { 'Service-API-Key': service.apiKey } });
    expect(await res.json()).toMatchObject({ email: service.admin.email });
  });
});
