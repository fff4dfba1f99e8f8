import { type LoadResult, type RunningLoad, type ProcessLoad, startLoad } from './testLoad.ts';

// A load in a process of its own, so that it does not delay the measurements of another one.

let load: RunningLoad | null = null;

process.on('message', (message: ProcessLoad | 'stop') => {
  if (message === 'stop') void stop();
  else start(message);
});

function start({ port, connections, requests, pause }: ProcessLoad): void {
  let sent = 0;
  load = startLoad(port, { connections, pause, next: () => requests[sent++ % requests.length] ?? '' });
  process.send?.('started');
}

async function stop(): Promise<void> {
  await load?.stop();
  const answers: LoadResult = { answers: load?.answers ?? [], samples: load?.samples ?? new Map() };
  process.send?.(answers, () => process.disconnect?.());
}
