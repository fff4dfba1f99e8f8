import type { ServerResponse } from 'node:http';
import { must } from '#contract/values/must.ts';
import { ProblemError } from '../problems.ts';
import type { OperationKind } from './operationKind.ts';

/** Requests in flight. Reads have a lower limit, so that there is always room for writes. */
const IN_FLIGHT_MAX = { read: 80, write: 100 };
const QUEUED_MAX = { read: 800, write: 1000 };
const PER_TOKEN_MAX = { inFlight: 16, queued: { read: 200, write: 250 } };
/** While others are there, a workspace has no more in flight than a token, because the next one waits for all of it. */
const PER_WORKSPACE_MAX = { inFlightBesideOthers: 16, queued: { read: 400, write: 500 } };
/** Milliseconds for which another workspace counts as active after its request. */
const PRESENT_FOR_MS = 10_000;
/** Milliseconds. While a request of a token has waited longer, others of that token are rejected. */
const QUEUE_AGE_MAX_MS = { read: 5000, write: 10_000 };

const RETRY_SECONDS = 2;

// Created once, because capturing a stack for each rejection is expensive.
export const OVERLOAD_PROBLEM = new ProblemError(
  503,
  `The service is overloaded. Try again in ${RETRY_SECONDS} seconds.`,
  {
    headers: { 'retry-after': String(RETRY_SECONDS) },
    limit: 'overload',
  },
);
export const CLIENT_GONE_PROBLEM = new ProblemError(503, 'Client closed request.');

type QueuedRequest = { enter: () => void; since: number };
type TokenShare = { inFlight: number; queued: Record<OperationKind, QueuedRequest[]> };
type WorkspaceShare = { inFlight: number; queued: Record<OperationKind, number>; tokens: Map<string, TokenShare> };

export type LimitedCaller = { workspace: string; token: string };

export class ConcurrencyLimiter {
  readonly #workspaces = new Map<string, WorkspaceShare>();
  #inFlight = 0;
  #queued = 0;
  /** The workspace of the last request, and until when others are active. */
  #last: string | null = null;
  #othersUntil = -Infinity;

  get queuedCount(): number {
    return this.#queued;
  }

  get isFull(): boolean {
    return this.#queued >= QUEUED_MAX.read;
  }

  isFullFor(workspace: string, kind: OperationKind): boolean {
    const share = this.#workspaces.get(workspace);
    return share !== undefined && isFull(share, kind);
  }

  async run<Result>(
    caller: LimitedCaller,
    kind: OperationKind,
    response: ServerResponse,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#last !== null && this.#last !== caller.workspace) this.#othersUntil = performance.now() + PRESENT_FOR_MS;
    this.#last = caller.workspace;
    const workspace = this.#workspaces.getOrInsertComputed(caller.workspace, () => ({
      inFlight: 0,
      queued: { read: 0, write: 0 },
      tokens: new Map<string, TokenShare>(),
    }));
    const token = workspace.tokens.getOrInsertComputed(caller.token, () => ({
      inFlight: 0,
      queued: { read: [], write: [] },
    }));
    try {
      if (this.#hasRoom(workspace, token, kind)) this.#enter(workspace, token);
      else await this.#enqueue(workspace, token, kind, response);
      try {
        return await work();
      } finally {
        token.inFlight--;
        workspace.inFlight--;
        this.#inFlight--;
        this.#startQueued();
      }
    } finally {
      const { inFlight, queued } = token;
      if (inFlight + queued.read.length + queued.write.length === 0) workspace.tokens.delete(caller.token);
      if (workspace.tokens.size === 0) this.#workspaces.delete(caller.workspace);
    }
  }

  #hasRoom(workspace: WorkspaceShare, token: TokenShare, kind: OperationKind): boolean {
    const isAlone = performance.now() >= this.#othersUntil;
    return (
      token.inFlight < PER_TOKEN_MAX.inFlight &&
      (isAlone || workspace.inFlight < PER_WORKSPACE_MAX.inFlightBesideOthers) &&
      this.#inFlight < IN_FLIGHT_MAX[kind]
    );
  }

  #enter(workspace: WorkspaceShare, token: TokenShare): void {
    token.inFlight++;
    workspace.inFlight++;
    this.#inFlight++;
  }

  #enqueue(workspace: WorkspaceShare, token: TokenShare, kind: OperationKind, response: ServerResponse): Promise<void> {
    const queue = token.queued[kind];
    const now = performance.now();
    const hasNoPlace =
      this.#queued >= QUEUED_MAX[kind] || isFull(workspace, kind) || queue.length >= PER_TOKEN_MAX.queued[kind];
    if (hasNoPlace || now - (queue[0]?.since ?? now) > QUEUE_AGE_MAX_MS[kind]) throw OVERLOAD_PROBLEM;
    return new Promise((resolve, reject) => {
      const request = {
        since: now,
        enter: () => {
          response.off('close', leave);
          resolve();
        },
      };
      const leave = () => {
        queue.splice(queue.indexOf(request), 1);
        workspace.queued[kind]--;
        this.#queued--;
        reject(CLIENT_GONE_PROBLEM);
      };
      response.once('close', leave);
      queue.push(request);
      workspace.queued[kind]++;
      this.#queued++;
    });
  }

  /** Writes before reads; of each kind first those of the workspace with the fewest in flight, and of its token with the fewest. */
  #startQueued(): void {
    for (const kind of ['write', 'read'] as const) {
      for (;;) {
        const next = this.#next(kind);
        if (next === undefined) break;
        const request = must(next.token.queued[kind].shift());
        next.workspace.queued[kind]--;
        this.#queued--;
        this.#enter(next.workspace, next.token);
        request.enter();
      }
    }
  }

  #next(kind: OperationKind): { workspace: WorkspaceShare; token: TokenShare } | undefined {
    if (this.#queued === 0) return undefined;
    let next: { workspace: WorkspaceShare; token: TokenShare } | undefined;
    for (const workspace of this.#workspaces.values()) {
      if (workspace.queued[kind] === 0 || workspace.inFlight > (next?.workspace.inFlight ?? Infinity)) continue;
      for (const token of workspace.tokens.values()) {
        const isBefore =
          next === undefined || workspace.inFlight < next.workspace.inFlight || token.inFlight < next.token.inFlight;
        if (isBefore && token.queued[kind].length > 0 && this.#hasRoom(workspace, token, kind)) {
          next = { workspace, token };
        }
      }
    }
    return next;
  }
}

function isFull({ queued }: WorkspaceShare, kind: OperationKind): boolean {
  return queued.read + queued.write >= PER_WORKSPACE_MAX.queued[kind];
}
