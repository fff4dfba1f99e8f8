import { once } from 'node:events';
import { type Sendroom, startSendroom } from './startSendroom.ts';

/** What a process uses, in bytes and in seconds of processor time. */
export type ProcessUsage = { rss: number; heap: number; cpuSeconds: number };

export type InspectedSendroom = Sendroom & {
  /** Collects garbage first, so that what is left is what the service holds. */
  usageAfterGc: () => Promise<ProcessUsage>;
  usage: () => Promise<ProcessUsage>;
};

const USAGE = `({ memory: process.memoryUsage(), cpu: process.cpuUsage() })`;

/** The real service, measured through the inspector of Node: nothing is added to the service for it. */
export async function startInspected(env: Record<string, string>): Promise<InspectedSendroom> {
  const sendroom = await startSendroom({ NODE_OPTIONS: '--inspect=127.0.0.1:0', ...env });
  const address = /^Debugger listening on (ws:\S+)$/m.exec(sendroom.output())?.[1];
  if (address === undefined) throw new Error(`The service has no inspector:\n${sendroom.output()}`);
  const socket = new WebSocket(address);
  await once(socket, 'open');
  let last = 0;
  const ask = async (method: string, params: object = {}): Promise<unknown> => {
    const id = ++last;
    const answered = new Promise<unknown>((resolve) => {
      const listen = ({ data }: MessageEvent<string>) => {
        const answer = JSON.parse(data) as { id?: number; result?: unknown };
        if (answer.id !== id) return;
        socket.removeEventListener('message', listen);
        resolve(answer.result);
      };
      socket.addEventListener('message', listen);
    });
    socket.send(JSON.stringify({ id, method, params }));
    return answered;
  };
  const usage = async () => {
    const { result } = (await ask('Runtime.evaluate', { expression: USAGE, returnByValue: true })) as {
      result: { value: { memory: NodeJS.MemoryUsage; cpu: NodeJS.CpuUsage } };
    };
    const { memory, cpu } = result.value;
    return {
      rss: memory.rss,
      heap: memory.heapUsed + memory.external,
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
    };
  };
  return {
    ...sendroom,
    usage,
    usageAfterGc: async () => {
      await ask('HeapProfiler.collectGarbage');
      return usage();
    },
    stop: async () => {
      socket.close();
      await sendroom.stop();
    },
  };
}
