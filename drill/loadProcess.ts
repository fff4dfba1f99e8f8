import { connect, type Socket } from 'node:net';

/** Requests of one kind, sent in turn, and their share of all calls. */
export type CallKind = { kind: string; share: number; requests: readonly string[] };
/** `perSecond` is the rate, whatever the answers; without it, each connection sends as soon as it is answered. */
export type LoadPlan = {
  port: number;
  calls: readonly CallKind[];
  connections: number;
  seconds: number;
  perSecond?: number;
};
/**
 * Milliseconds until each answer, by kind and status; status 0 means no answer. `unsent` counts calls without a free
 * connection.
 */
export type LoadOutcome = { times: Record<string, number[]>; unsent: number; seconds: number };

// A process that calls a service by its plan, and reports the results.

process.on('message', (plan: LoadPlan) => {
  void run(plan).then((outcome) => process.send?.(outcome, () => process.disconnect?.()));
});

async function run({ port, calls, connections, seconds, perSecond }: LoadPlan): Promise<LoadOutcome> {
  const outcome: LoadOutcome = { times: {}, unsent: 0, seconds };
  const note = (kind: string, status: number, ms: number) => (outcome.times[`${kind} ${status}`] ??= []).push(ms);
  const next = inTurn(calls);
  const idle: Caller[] = [];
  const start = performance.now();
  const isOver = () => performance.now() - start > seconds * 1000;
  const callers = Array.from({ length: connections }, () => new Caller(port, note));

  if (perSecond === undefined) {
    await Promise.all(
      callers.map(async (caller) => {
        while (!isOver()) await caller.call(next());
      }),
    );
  } else {
    idle.push(...callers);
    let due = 0;
    while (!isOver()) {
      for (; due < ((performance.now() - start) / 1000) * perSecond; due++) {
        const caller = idle.pop();
        if (caller === undefined) outcome.unsent++;
        else void caller.call(next()).then(() => idle.push(caller));
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  for (const caller of callers) caller.end();
  return outcome;
}

/** Each kind as often as its share says. */
function inTurn(calls: readonly CallKind[]): () => { kind: string; request: string } {
  const due = calls.map(() => 0);
  const sent = calls.map(() => 0);
  return () => {
    calls.forEach(({ share }, index) => (due[index] = (due[index] ?? 0) + share));
    const index = due.indexOf(Math.max(...due));
    due[index] = (due[index] ?? 0) - 1;
    const count = sent[index] ?? 0;
    sent[index] = count + 1;
    const { kind = '', requests = [] } = calls[index] ?? {};
    return { kind, request: requests[count % requests.length] ?? '' };
  };
}

class Caller {
  readonly #port: number;
  readonly #note: (kind: string, status: number, ms: number) => void;
  #socket: Socket | null = null;
  #text = '';
  #answered: (status: number) => void = () => {};

  constructor(port: number, note: (kind: string, status: number, ms: number) => void) {
    this.#port = port;
    this.#note = note;
  }

  async call({ kind, request }: { kind: string; request: string }): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const sentAt = performance.now();
    this.#answered = resolve;
    this.#socket ??= this.#open();
    this.#socket.write(request);
    this.#note(kind, await promise, performance.now() - sentAt);
  }

  end(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay();
    this.#text = '';
    socket.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString('latin1');
      const end = this.#text.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#text.slice(0, end + 2))?.[1] ?? 0);
      if (end < 0 || this.#text.length < end + 4 + length) return;
      const status = Number(this.#text.slice(9, 12));
      this.#text = '';
      this.#answered(status);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#socket = null;
      this.#answered(0);
    });
    return socket;
  }
}
