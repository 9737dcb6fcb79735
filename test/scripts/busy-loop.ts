import { workerData } from 'node:worker_threads';

/** Takes a processor until the given time. */
while (Date.now() < Number(workerData));
