import type { Principal } from './authentication/auth.ts';
import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';
import type { LogLevel } from '../settings/settings.ts';
import { ProblemError } from './problems.ts';

export type LogStream = { write: (line: string) => void };

/** A line has the template of the route, because URLs contain identities, and the UUID of the token, never the token. */
export function logOptions(level: LogLevel, stream: LogStream) {
  return {
    // At `silent` Fastify need not even listen for the end of a response.
    logger: level !== 'silent' && {
      level,
      stream,
      base: null,
      formatters: { level: (label: string) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      // Fastify's own serializers would write URLs.
      serializers: { req: (request: FastifyRequest) => ({ request_id: request.id }), res: () => ({}) },
    },
    // No logger for each request: it would cost more than the line. Our lines have the request id themselves.
    childLoggerFactory: <Logger>(logger: Logger) => logger,
    logController: new RequestLog(),
  };
}

const uuidsIn = (principal: Principal) =>
  'token' in principal ? { token: principal.token.uuid } : { person: principal.person.uuid };

class RequestLog extends LogController {
  override incomingRequest(): void {
    // Only completed requests are logged.
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const responseId = reply.getHeader('x-request-id');
    const line = {
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      ...(request.principal && uuidsIn(request.principal)),
      // The response of a gateway has the request id of the upstream service.
      ...(responseId !== request.id && { upstream_request_id: responseId }),
    };
    if (error) request.log.info({ ...line, code: (error as { code?: unknown }).code }, 'response aborted');
    else request.log.info(line, 'answered');
  }

  /** Called when a response is cut off after its headers. */
  override streamError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    // The client has disconnected, or the upstream of a gateway failed.
    if (error instanceof ProblemError || (error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE')
      this.requestCompleted(error, request, reply);
    else request.log.error({ request_id: request.id, err: error }, 'request failed');
  }
}
