import { templateStoreContract } from '../../../test/contracts/prompts/template-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryTemplateStore } from './memory-template-store.ts';

templateStoreContract('memory', async () => {
  const projects = new Set<string>();
  const store = new MemoryTemplateStore({ database: new MemoryDatabase(), projectExists: async (id) => projects.has(id) });
  const project = async (id: string, exists: boolean) => void (exists ? projects.add(id) : projects.delete(id));
  return { port: { store, project }, close: async () => {} };
});
