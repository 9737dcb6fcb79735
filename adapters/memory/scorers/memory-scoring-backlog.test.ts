import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import { scoringBacklogContract } from '../../../test/contracts/scorers/scoring-backlog.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryQueue } from '../memory-queue.ts';
import { MemoryScoringBacklog } from './memory-scoring-backlog.ts';

scoringBacklogContract('memory', async () => {
  const database = new MemoryDatabase();
  const queues: MemoryQueue<ScoringJob>[] = [];
  const newQueue = () => new MemoryQueue<ScoringJob>(({ project_id }) => project_id);
  return {
    scoringBacklog: database.inStatements(new MemoryScoringBacklog({ database, queues })),
    transactions: database,
    openQueues: async () => {
      const opened = [newQueue(), newQueue()] as const;
      queues.splice(0, queues.length, ...opened);
      return { queues: opened, close: async () => void (await Promise.all(opened.map((queue) => queue.stop(100)))) };
    },
    close: async () => {},
  };
});
