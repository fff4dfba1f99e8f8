import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';
import type { LogLevel } from '../settings/config.ts';
import { ProblemError } from './problems.ts';

/** Takes log lines, each one JSON object. */
export type LogStream = { write: (line: string) => void };

/**
 * The log: one line for each answer. It names the route's template, never the address that was asked for, and the
 * token's uuid, never the token: addresses hold identities, and those are personal data.
 */
export function logOptions(level: LogLevel, stream: LogStream) {
  return {
    // At `silent` Fastify need not even listen for the end of an answer.
    logger: level !== 'silent' && {
      level,
      stream,
      base: null,
      formatters: { level: (label: string) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      // Fastify's own serializers would write addresses.
      serializers: { req: (request: FastifyRequest) => ({ request_id: request.id }), res: () => ({}) },
    },
    // Our lines carry the request id themselves; a logger of its own for each request costs more than the line.
    childLoggerFactory: <Logger>(logger: Logger) => logger,
    logController: new RequestLog(),
  };
}

class RequestLog extends LogController {
  override incomingRequest(): void {
    // The answer's line says it all.
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const answered = reply.getHeader('x-request-id');
    const line = {
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      token: request.principal?.token.uuid,
      // A gateway passes on the id that the service behind it gave to the request.
      ...(answered !== request.id && { upstream_request_id: answered }),
    };
    if (error) request.log.info({ ...line, code: (error as { code?: unknown }).code }, 'answer broken off');
    else request.log.info(line, 'answered');
  }

  /** Ends an answer that has begun, which is then not completed. */
  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    // The caller went away, or what is behind a gateway did.
    if (error instanceof ProblemError || (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE')
      this.requestCompleted(error, request, reply);
    else request.log.error({ request_id: request.id, err: error }, 'request failed');
  }
}
